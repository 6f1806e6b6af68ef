// Small tools that only display information about languages, libraries, machines, and files.
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { has, type OptionTable } from '../options.ts';
import { isAtOrAbove } from '../targets.ts';
import { asks, looks, rewrites, sentFile } from './verbs.ts';

/** `jar tf a.jar`, with its own notation for options. Other letters create, update, and unpack archives. */
function jar(call: CommandCall) {
  const [order, ...rest] = call.rest;
  if (!/^-?t[vf]*$/.test(order?.literal ?? '')) call.unknown('jar with other arguments than tf and a file', order);
  for (const o of rest) {
    if (o.literal === null || /^[-@]/.test(o.lead)) call.unknown('jar with an unrecognized argument', o);
    else call.read(o, 'jar');
  }
}

/** A class can also be given as a URL. */
function javap(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['single-dash']);
  call.accept(given);
  call.roles(given);
  for (const o of given.operands) {
    if (o.literal === null || /^@|:/.test(o.literal)) call.unknown('the files that javap opens are unknown', o);
    else call.read(o, 'javap');
  }
}

/** It passes its output to a pager from the settings of the repository. */
function delta(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  if (has(given, 'version', 'V', 'help', 'h')) return;
  if (!call.cwds?.every((folder) => isAtOrAbove(folder, call.host.origin)))
    call.unknown('delta runs in another folder, which may be a repository whose settings run programs');
  for (const o of given.operands) call.read(o, 'delta', { extent: 'within' });
}

/** Method, URL, headers, and query items. Without a method, data on standard input turns the request into a POST. */
function httpie(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  if (has(given, 'version')) return;
  call.network();
  const isQuiet = has(given, 'I', 'ignore-stdin');
  const method = /^(?:GET|HEAD|OPTIONS)$/.test(given.operands[0]?.literal ?? '');
  // Another word of letters before the URL is a method too.
  if (!method && given.operands.length > 1 && /^[A-Za-z]*$/.test(given.operands[0]!.literal ?? ''))
    call.unknown(`${call.name} with another HTTP method may change something`, given.operands[0]);
  const [url, ...items] = method ? given.operands.slice(1) : given.operands;
  if (!isQuiet && !(method && call.stdin.kind === 'inherit')) call.unknown(`${call.name} may send its standard input`);
  if (!/^(?:https?:\/\/)?[\w.-]+(?:[:/?]|$)|^:\d+(?:\/|$)/.test(url?.literal ?? '')) call.unknown('the address is unknown', url);
  else call.url(url!);
  for (const o of items)
    if (!/^[\w-]+(?:==(?!@)|:(?![@=]))[^@]*$/.test(o.literal ?? '') || /^x-(?:http-)?method/i.test(o.lead))
      call.unknown(`${call.name} sends data to a server`, o);
  for (const o of items) sentFile(call, o, /^[^@=:]*(?::=|==|=|:)?@/);
}

/** Without one of these options it converts its files. */
function dos2unix(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  for (const o of given.operands) {
    if (has(given, 'i', 'info')) call.read(o, call.name);
    else call.write(o, call.name, { old: 'kept', why: `${call.name} rewrites its files` });
  }
}

/** An operand may be a URL, which sends data to its server. */
function gron(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  for (const o of given.operands) {
    if (/^https?:/i.test(o.literal ?? 'http:') && !o.lead.includes('/'))
      call.unknown('gron may fetch the files that it names', o);
    else if (/^https?:\/\//i.test(o.lead)) call.url(o);
    else if (o.literal !== '-') call.read(o, 'gron');
  }
}

/** A module can be given as its file. */
function pkgConfig(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  for (const o of given.operands)
    for (const word of o.literal?.split(/[\s,]+/) ?? []) if (/\.pc$/.test(word)) call.read(o.as(word), call.name);
}

/** Some builds can fetch a URL. */
function pdf(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  for (const o of given.operands) {
    if (/^[a-z]+:\/\//i.test(o.lead)) call.url(o);
    else if (o.literal !== '-') call.read(o, call.name);
  }
}

export const tools: CommandEntry[] = [
  {
    names: 'dos2unix unix2dos',
    version: '--version -V --help -h',
    options: '-i? -vq --info? --verbose --quiet',
    handle: dos2unix,
    examples: {
      'dos2unix -i a': 'read-only',
      'dos2unix --info=d ./*.txt': 'read-only',
      'dos2unix a': 'writes',
      'unix2dos -n a b': 'unknown',
    },
  },
  {
    names: 'gron',
    version: '--version',
    options: '-ucmsjv --ungron --colorize --monochrome --stream --json --values --no-sort',
    handle: gron,
    examples: {
      'gron a.json': 'read-only',
      'gron https://a.invalid/x': 'read-only',
      'gron $x': 'unknown',
      'gron -k https://a.invalid': 'unknown',
    },
  },
  {
    names: 'envsubst',
    options: '-vhV --variables --help --version',
    operands: 'text',
    examples: { 'envsubst < a': 'read-only', "envsubst -v '$A'": 'read-only' },
  },
  {
    names: 'look',
    options: '-abdf -t:',
    handle: (call, t) => {
      const given = call.parse(t);
      call.accept(given);
      for (const o of given.operands.slice(1)) call.read(o, 'look');
    },
    examples: { 'look -f abc': 'read-only', 'look abc words.txt': 'read-only' },
  },
  { names: 'atq', options: '-V -q:', operands: 'none', examples: { atq: 'read-only', 'atq -o f': 'unknown' } },
  // Options for time-based UUIDs are not listed, because they store a clock value in a file.
  { names: 'uuidgen', options: '-r --random', operands: 'none', examples: { uuidgen: 'read-only', 'uuidgen -t': 'unknown' } },
  {
    names: 'systemd-detect-virt',
    options: '-qrvc --list --quiet --vm --container',
    operands: 'none',
    examples: { 'systemd-detect-virt -v': 'read-only' },
  },
  {
    names: 'networkctl',
    verbs: { 'status|list|lldp|label': looks('--no-pager -a --all') },
    examples: { 'networkctl status': 'read-only', 'networkctl down eth0': 'unknown' },
  },
  {
    names: 'coredumpctl',
    verbs: { 'list|info': looks('--no-pager --no-legend -r -1 -q -n: --since: --until: --reverse') },
    examples: { 'coredumpctl list': 'read-only', 'coredumpctl info -o f': 'unknown', 'coredumpctl gdb': 'unknown' },
  },
  {
    names: 'pkg-config pkgconf',
    options:
      '--list-all --list-package-names --cflags --cflags-only-I --cflags-only-other --libs --libs-only-l --libs-only-L --libs-only-other --modversion --exists --version --variable: --print-variables --print-requires --print-requires-private --print-provides --print-errors --short-errors --silence-errors --static --atleast-version: --exact-version: --max-version: --atleast-pkgconfig-version: --path',
    handle: pkgConfig,
    examples: {
      'pkg-config --cflags --libs openssl': 'read-only',
      "pkg-config --exists 'openssl >= 3'": 'read-only',
      'pkgconf --log-file=f x': 'unknown',
    },
  },
  {
    names: 'ldconfig',
    version: '-p --print-cache --version -V',
    handle: (call) => call.unknown('ldconfig rewrites the cache of libraries'),
    examples: { 'ldconfig -p': 'read-only', ldconfig: 'unknown', 'ldconfig -p -C f': 'unknown' },
  },
  { names: 'jps', options: '-qlmvV', operands: 'none', examples: { 'jps -l': 'read-only', 'jps -J-agentlib:x': 'unknown' } },
  // A command for a process that is not Java may end that process.
  { names: 'jcmd', options: '-lh', operands: 'none', examples: { 'jcmd -l': 'read-only', 'jcmd 1234 VM.flags': 'unknown' } },
  {
    names: 'jar',
    version: '--version',
    handle: jar,
    examples: {
      'jar tf a.jar': 'read-only',
      'jar -tvf a.jar b': 'read-only',
      'jar xf a.jar': 'unknown',
      'jar tf @f': 'unknown',
      'jar tf a.jar -C d x': 'unknown',
      'jar tcf a.jar': 'unknown',
    },
  },
  {
    names: 'javap',
    version: '-version --version -help --help',
    options: '--c --v --verbose --p --private --l --s --public --protected --package --constants --sysinfo --cp:l --classpath:l',
    style: ['single-dash'],
    handle: javap,
    examples: {
      'javap -c -p https://a.invalid/x': 'unknown',
      'javap -c -p Foo.class': 'read-only',
      'javap -J-agentlib:x Foo': 'unknown',
      'javap -c $x': 'unknown',
    },
  },
  {
    names: 'delta',
    options:
      '-snVh -w: --side-by-side --line-numbers --navigate --dark --light --width: --paging: --syntax-theme: --color-only --diff-so-fancy --diff-highlight --no-gitconfig --list-languages --list-syntax-themes --show-config --version --help',
    handle: delta,
    examples: {
      'git diff | delta --side-by-side': 'read-only',
      'cd sub; delta a b': 'unknown',
      'git diff | delta --pager=x': 'unknown',
      'git diff | delta --config=x': 'unknown',
    },
  },
  {
    // Options for key bindings and previews are not listed, because they contain commands.
    names: 'fzf',
    options:
      '-f: -q: -n: -d: -eixm10 --filter: --query: --exact --nth: --with-nth: --delimiter: --no-sort --tac --tiebreak: --multi? --reverse --layout: --height: --ansi --select-1 --exit-0 --print-query --read0 --print0 --border? --prompt: --header: --no-mouse --cycle --version',
    operands: 'none',
    examples: {
      'ls | fzf -m --height 40%': 'read-only',
      'ls | fzf --filter a': 'read-only',
      "ls | fzf --preview 'rm {}'": 'unknown',
      "ls | fzf --bind 'enter:execute(rm {})'": 'unknown',
      'ls | fzf --history=f': 'unknown',
    },
  },
  {
    names: 'http https',
    version: '--version --help',
    options:
      '-bhvFIjS -p: -s: -a: -A: --body --headers --meta --verbose --print: --pretty: --style: --timeout: --follow --max-redirects: --check-status --ignore-stdin --json --verify: --all --stream --auth: --auth-type: --unsorted --sorted --offline --version --default-scheme:',
    handle: httpie,
    examples: {
      'http GET https://a.invalid/x': 'read-only',
      'http --ignore-stdin https://a.invalid/x q==1 Accept:text/html': 'read-only',
      'http https://a.invalid/x': 'unknown',
      'cat x | http GET https://a.invalid/x': 'unknown',
      'http GET https://a.invalid/x a=b': 'unknown',
      'http GET https://a.invalid/x a:=1': 'unknown',
      'http GET https://a.invalid/x a@f': 'unknown',
      'http GET https://a.invalid/x A:@f': 'unknown',
      'http GET https://a.invalid/x a==@f': 'unknown',
      'http GET https://a.invalid/x X-HTTP-Method-Override:DELETE': 'unknown',
      'http -I DELETE https://a.invalid/x': 'unknown',
      'http -d GET https://a.invalid/x': 'unknown',
      'http GET https://a.invalid/x --session=a': 'unknown',
      'http GET $x': 'unknown',
    },
  },
  {
    names: 'systemd-analyze',
    verbs: { 'time|blame|critical-chain|dump|unit-paths|calendar|timespan|timestamp': looks('--user --system --no-pager') },
    examples: { 'systemd-analyze blame': 'read-only', 'systemd-analyze set-log-level debug': 'unknown' },
  },
  {
    // -k is not listed, because it kills the processes.
    names: 'fuser',
    options: '-acIlmMnuvV46 -n:',
    operands: 'list',
    examples: { 'fuser -v 3000/tcp': 'read-only', 'fuser -k 3000/tcp': 'unknown' },
  },
  {
    names: 'route',
    options: '-neC46v',
    operands: 'none',
    examples: { 'route -n': 'read-only', 'route add default gw x': 'unknown' },
  },
  { names: 'md5', options: '-qr -s:', operands: 'read', examples: { 'md5 -q a': 'read-only' } },
  { names: 'sensors', options: '-ufjA', operands: 'text', examples: { 'sensors -j': 'read-only', 'sensors -s': 'unknown' } },
  {
    names: 'resolvectl',
    verbs: { 'status|statistics|dns|domain': looks('--no-pager', { operands: 'none' }), query: asks('-4 -6 -t: --type:') },
    examples: { 'resolvectl status': 'read-only', 'resolvectl dns eth0 x': 'unknown', 'resolvectl flush-caches': 'unknown' },
  },
  {
    names: 'nmcli',
    options: '-t -p -f: -g: --terse --pretty --fields: --get-values:',
    verbs: {
      'device status|device show|dev status|dev show|connection show|con show|c show|general status|radio': looks('--active', {
        operands: 'none',
      }),
    },
    examples: { 'nmcli -t device status': 'read-only', 'nmcli con up x': 'unknown', 'nmcli radio wifi off': 'unknown' },
  },
  {
    names: 'pdfinfo pdffonts',
    options: '-f: -l: -v',
    handle: pdf,
    examples: {
      'pdfinfo a.pdf': 'read-only',
      'pdfinfo -f 1 -l 3 a.pdf': 'read-only',
      'pdfinfo "https://a.invalid/$x"': 'unknown',
    },
  },
  {
    names: 'csvcut csvlook csvstat csvgrep',
    options:
      '-c: -C: -d: -q: -m: -r: -e: -H -n -i -t -I --columns: --delimiter: --names --tabs --no-header-row --no-inference --encoding: --match: --regex: --invert-match --max-rows: --csv',
    operands: 'read',
    examples: { 'csvcut -c 1,2 a.csv': 'read-only', 'csvgrep -c 1 -f x a.csv': 'unknown' },
  },
  {
    // Here -r takes no value.
    names: 'csvsort',
    options:
      '-c: -d: -q: -e: -rHnitI --columns: --delimiter: --names --tabs --reverse --no-header-row --no-inference --encoding:',
    operands: 'read',
    examples: { 'csvsort -c 1 -r a.csv': 'read-only', 'csvsort -r x a.csv': 'read-only' },
  },
  {
    names: 'hexyl',
    options: '-n: -s: -c: --length: --skip: --bytes: --color: --border: --plain',
    operands: 'read',
    examples: { 'hexyl -n 64 a': 'read-only' },
  },
  {
    names: 'shfmt',
    options:
      '--d --l --w --write --i: --ci --bn --sr --kp --fn --s --mn --ln: --p --f --diff --list --indent: --case-indent --binary-next-line --space-redirects --simplify --language-dialect: --posix --find --version',
    handle: (call, t) => rewrites('w', 'write')(call, t, ['single-dash']),
    examples: {
      'shfmt -i 2 -ci -d a.sh': 'read-only',
      'shfmt -w a.sh': 'writes',
      'shfmt --write a.sh': 'writes',
      'shfmt -w -tojson a.sh': 'unknown',
    },
  },
  {
    names:
      'nginx httpd apache2 htop btm ncdu tig lazygit starship ffmpeg ffplay hey ab mongod etcd gitleaks caddy markdownlint conan buck2 kotlinc vcpkg',
    version:
      '-v=nginx,httpd,apache2 -V=nginx,ab --version=htop,btm,ncdu,tig,lazygit,starship,mongod,etcd -version=ffmpeg,ffplay,kotlinc version=gitleaks,caddy,vcpkg',
    handle: (call) => call.unknown(`${call.name} is not understood`),
    examples: {
      'nginx -v': 'read-only',
      'nginx -t': 'unknown',
      'ffmpeg -version': 'read-only',
      'ffmpeg -v': 'unknown',
    },
  },
  {
    // Without -o and -O it prints the picture. Other options load plugins, or open a window.
    names: 'dot neato fdp circo twopi',
    version: '-V',
    options: '-T: -K: -G: -N: -E: -o:w -v -q -n -y -x',
    operands: 'read',
    examples: {
      'dot -Tsvg a.dot': 'read-only',
      'dot -Tpng -o a.png a.dot': 'writes',
      'dot -Tpng -O a.dot': 'unknown',
      'dot -c': 'unknown',
      'dot -lx.ps a.dot': 'unknown',
    },
  },
  {
    // It starts shellcheck and pyflakes, with paths from its options.
    names: 'actionlint',
    style: ['single-dash'],
    options: '--oneline --verbose --no-color --color --format: --ignore: --version',
    handle(call, t) {
      const given = call.parse(t, ['single-dash']);
      call.accept(given);
      for (const o of given.operands) call.read(o, 'actionlint');
      if (given.operands.length === 0) call.read(call.args[0]!.as('.github/workflows'), 'actionlint', { extent: 'within' });
    },
    examples: { actionlint: 'read-only', 'actionlint -oneline a.yml': 'read-only', 'actionlint -shellcheck=./x': 'unknown' },
  },
  {
    // A tag with a value is written, and -if and -p take expressions.
    names: 'exiftool',
    version: '-ver',
    handle(call) {
      for (const o of call.rest) {
        if (
          /^-(?:ImageWidth|ImageHeight|ImageSize|MIMEType|FileType|FileSize|DateTimeOriginal|CreateDate|ModifyDate|Make|Model|Orientation|GPS[A-Z][A-Za-z]*|Artist|Copyright|Title|Author|Duration|Software|Comment|Description|Keywords|all|s{1,3}|S|a|G\d?|g\d?|j|json|n|u|t|X|csv|q|r|fast\d?|l|e|b)$/.test(
            o.literal ?? '',
          )
        )
          continue;
        if (o.lead.startsWith('-') || o.lead === '') call.unknown('exiftool with an unrecognized option', o);
        else call.read(o, 'exiftool', { extent: 'within' });
      }
    },
    examples: {
      'exiftool -json a.jpg': 'read-only',
      'exiftool -Artist=x a.jpg': 'unknown',
      'exiftool -GPSPosition -Make a.jpg': 'read-only',
      'exiftool -TagsFromFile a.jpg b.jpg': 'unknown',
      'exiftool -W a.txt a.jpg': 'unknown',
      'exiftool -if 1 a.jpg': 'unknown',
      'exiftool $x': 'unknown',
    },
  },
  {
    names: 'info',
    options: '-n: --node: --usage -w --where --all -a',
    operands: 'read',
    examples: { 'info ls': 'read-only', 'info ls -o f': 'unknown', 'info --restore f': 'unknown' },
  },
  {
    names: 'sar',
    options: '-AbBdFHhpqrRSuvWwyzt -n: -P: -I: -f:r -s: -e: -i:',
    operands: 'text',
    examples: { 'sar -u 1 1': 'read-only', 'sar -o f 1 1': 'unknown', 'sar -f f': 'read-only' },
  },
  {
    // It stores its pages in the home folder.
    names: 'tldr',
    options: '-l -p: -L: -v --list --platform: --language: --list-all',
    operands: 'text',
    network: true,
    examples: { 'tldr tar': 'read-only', 'tldr --render f': 'unknown' },
  },
  {
    names: 'opam',
    verbs: {
      'list|show|info|search|switch list|switch show|repo list|repository list|pin list|env|config list|help': looks(
        '-a -i -A -s --all --installed --available --short --raw --columns: --field: -f: --color: --switch:',
      ),
      switch: looks('-s --short', { operands: 'none' }),
    },
    examples: {
      'opam list': 'read-only',
      'opam switch': 'read-only',
      'opam switch 5.1': 'unknown',
      'opam var a=b': 'unknown',
      'opam install x': 'unknown',
      'opam env --root d': 'unknown',
    },
  },
  {
    // Its settings are a program.
    names: 'luarocks',
    loads: 'look: .luarocks',
    verbs: { 'list|show|search|which|path|help': looks('--porcelain --outdated --local --global --all --lua-version:') },
    examples: { 'luarocks list': 'runs', 'luarocks install x': 'unknown', 'luarocks list --tree d': 'unknown' },
  },
  {
    names: 'yamllint',
    options: '-f: -s -d: -c:r --strict --format: --config-data: --config-file:r --no-warnings --list-files -v --version',
    operands: 'read-within',
    examples: { 'yamllint a.yml': 'read-only', 'yamllint -c b.yml a.yml': 'read-only' },
  },
  {
    names: 'hadolint',
    options:
      '-f: -c:r -t: -V --format: --config:r --ignore: --failure-threshold: --no-fail --no-color --trusted-registry: --version',
    operands: 'read',
    examples: { 'hadolint Dockerfile': 'read-only' },
  },
];
