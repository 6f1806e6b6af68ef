// Literal program texts for an interpreter, in which no word suggests that they write, start programs, use the network or print the
// environment: `python3 -c 'import json, sys; print(json.load(sys.stdin)["name"])'`. Such a text is
// treated like a script of the project. This is a guess from its words, so it never makes the text read-only.

/** Longest text that is searched, in characters. */
const longest = 4_000;

/** Reads that are usual in such texts, which would otherwise look like writes. */
const reads = [
  /\bopen\(\s*(?:'[^']*'|"[^"]*"|sys\.argv\[\d\])\s*(?:,\s*(?:mode\s*=\s*)?(?:'r[bt]?'|"r[bt]?")\s*)?(?:,\s*encoding\s*=\s*(?:'[\w-]*'|"[\w-]*")\s*)?\)/g,
  /\brequire\(\s*(?:'[^']*'|"[^"]*")\s*\)/g,
  /\bimport\(\s*(?:'\.[^']*'|"\.[^"]*")\s*\)/g,
  /\brequire\.resolve\(\s*(?:'[^']*'|"[^"]*")\s*\)/g,
  /^\s*import [\w, .]+;\s*print\(\s*[\w.]+\.__(?:version|file)__\s*\)\s*$/g,
  /\.(?:createReadStream|readFileSync|existsSync|readdirSync|statSync)\b/g,
];

/** Words of functions and modules that write, start something, use the network, print the environment, or hide what they do. */
const effects = new RegExp(
  [
    /\b(?:writ|append|unlink|rm|renam|remov|delet|mkdir|rmdir|truncat|chmod|chown|chdir|cop(?:y|ies)|cp|mov(?:e|ing)|symlink|link|touch|creat|save|mkfifo|mknod)\w*/,
    /\b(?:dump|open|fopen|fputs|fwrite|put|puts_to|to_(?:csv|json|sql|parquet|excel|pickle|file)|file_put_contents|IO|File|FileUtils|Dir)\b/,
    /\b\w*(?:exec|eval|spawn|popen|subprocess|child_process|system|fork|shutil|tempfile|ctypes|importlib|runpy|import_module|pickle)\w*/,
    /\b\w*(?:socket|urllib|urlopen|requests|fetch|http|ftp|smtp|telnet|paramiko|axios|sqlite|psycopg|mysql|redis|mongo)\w*/,
    /\b(?:environ|getenv|ENV|compile|globals|locals|getattr|setattr|Function|constructor|Reflect|globalThis|require|import\s*\(|kill|dlopen|binding|worker\w*|Bun|Deno|syscall|qx|pcntl\w*|proc_open|passthru)\b/,
    // Names that are computed, and values that are called.
    /\b(?:vars|dir|type|operator|attrgetter|methodcaller|send|public_send|method|instance_\w+|class_\w+|const_get|define_method|callable|call_user_func\w*|array_map|apply|bind)\s*(?:[([{]|:|\s:)/,
    /['"]\s*[+.]\s*['"]|\\[xu0-7N]|\b(?:chr|fromCharCode|fromCodePoint|decode\w*|unescape|base64|b64\w*|unpack|rot13|unhexlify|fromhex|reversed?|prototype)\b/,
    /[\])]\s*\(|&\s*\$|->\s*[$(]|\$\w+\s*\(|\$\{\s*\$|\bno\s+strict\b|\bdo\s*['"(]/,
    /process\s*(?:\.\s*env|\[)|\bsys\s*\.\s*modules|__(?!version__|file__|name__|doc__|all__)\w+__|\bPath\b[\s\S]*\breplace\b|\bfile\s*=|>>?\s*['"]/,
  ]
    .map(({ source }) => source)
    .join('|'),
);
const backquote = /`|%x|\$\(/;
/** A path out of the project, and modules of Node.js with such functions. */
const anywhere = /['"](?:\/|~|[^'"]*\.\.\/)|\b(?:child_process|net|dgram|tls|http2?|https|worker_threads|vm|cluster)\b/;

/** Options of an interpreter beside a text, with its value if it is a word of its own. Another option loads or does something else. */
const options: Readonly<Record<string, RegExp>> = {
  python: /^-[BEIsSuqc]+$/,
  node: /^(?:-e|-p|-pe|--eval|--print|--input-type=\w+|--no-warnings)$/,
  perl: /^-(?:[0-9anlpEew]|F[^/]|i(?:\.\w+$)?)+$/,
  ruby: /^-(?:[0-9anlpew]|i(?:\.\w+$)?|r(?:json|yaml|csv|date|time|set|pp))+$/,
  php: /^-r$/,
  r: /^(?:-e|-q|--(?:quiet|silent|no-echo|slave|vanilla|no-save|no-restore|no-init-file|no-environ))$/,
};

const rValue = String.raw`(?:"[^"\\]*"|'[^'\\]*'|-?\d+(?:\.\d+)?L?|TRUE|FALSE|NULL)`;
const rArgument = String.raw`(?:[\w.]+\s*=\s*)?(?:${rValue}|c\(\s*${rValue}(?:\s*,\s*${rValue})*\s*\))`;
const rCall = (names: string): string => String.raw`(?:${names})\(\s*(?:${rArgument}(?:\s*,\s*${rArgument})*\s*)?\)`;
/** Calls that test, check or describe, with literal arguments. Other functions of R write and start programs under any name. */
const rChecks = [
  rCall(
    String.raw`(?:testthat::)?test_(?:dir|file|local|package|check)|devtools::(?:test|test_active_file|load_all)|pkgload::load_all|tinytest::(?:run_test_dir|run_test_file|test_package)|lintr::lint(?:_dir|_package)?|renv::(?:status|diagnostics)|sessionInfo|packageVersion|R\.Version`,
  ),
  String.raw`styler::style_(?:pkg|dir|file)\((?:\s*${rArgument}\s*,)?\s*dry\s*=\s*["'](?:on|fail)["']\s*\)`,
  String.raw`(?:library|require)\([\w.]+\)`,
].join('|');
const rText = new RegExp(String.raw`^\s*(?:${rChecks})(?:\s*[;\n]\s*(?:${rChecks}))*\s*;?\s*$`);

/** The language of a program; null: its texts are always unknown. */
export function languageOf(program: string): string | null {
  const name = program
    .replace(/^(?:python|pypy)[\d.]*$/, 'python')
    .replace(/^nodejs$/, 'node')
    .replace(/^R(?:script)?$/, 'r');
  return Object.hasOwn(options, name.replace(/^perl5$/, 'perl')) ? name.replace(/^perl5$/, 'perl') : null;
}

/** Whether all words of an interpreter are plain, and its standard input too if that is the program. */
export function isPlain(program: string, words: readonly (string | null)[], input: string | null): boolean {
  const language = languageOf(program);
  if (language === null) return false;
  const texts: string[] = input === null ? [] : [input];
  for (const word of words) {
    if (word === null) return false;
    if (/^-./.test(word) && !/\s/.test(word)) {
      if (!options[language]!.test(word)) return false;
    } else texts.push(word);
  }
  return texts.every((text) => isPlainText(text, language));
}

function isPlainText(text: string, language: string): boolean {
  if (text.length > longest) return false;
  if (language === 'r') return rText.test(text) && !anywhere.test(text);
  const rest = reads.reduce((left, form) => left.replaceAll(form, ' '), text);
  const isQuoted = language !== 'node' && language !== 'python' && backquote.test(text);
  return !isQuoted && !effects.test(rest) && !anywhere.test(text);
}
