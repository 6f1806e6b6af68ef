// A table of patterns of secrets in text. Every pattern starts at the edge of a word and has bounds, so none of them scans a text
// more than once.

/** Replaces a secret. It is a plain word in a shell, a URL, JSON and YAML. */
export const REDACTED = 'REDACTED';

interface SecretPattern {
  name: string;
  /** The pattern runs only on a text that contains one of these, in lower case. */
  hints: readonly string[];
  /** The secret is the group `secret`, otherwise the whole match. */
  match: RegExp;
  /** True for a match that is not a secret. */
  except?: (groups: Record<string, string | undefined>) => boolean;
}

/** Parts of a name that mean a secret value. */
const word =
  '(?:passw(?:or)?d|passwd|passphrase|(?:store|key)pass|(?<![a-z])pass(?![a-z])|(?<=_)(?:pw|pat)(?![a-z])|pwd|secret|token|credentials?|(?:api|access|private|account|signing|encryption|auth)[-_]?key)';
/** Every such part contains one of these. */
const words = ['pass', '_pw', '_pat', 'pwd', 'secret', 'token', 'credential', 'key'];
/**
 * A quoted value, including quotes of JSON inside a text and of `$'…'`. Otherwise up to white space or the end of a word in a
 * shell, a URL or JSON.
 */
const value = `(?:\\\\{1,4}"(?<escaped>[^"\\\\\\n]{1,2000})|"(?<double>[^"\\n]{1,2000})"?|\\$?'(?<single>[^'\\n]{1,2000})'?|(?<bare>[^\\s"'&;,|<>(){}\\[\\]\`]{1,2000}))`;
/** One word of a command, with or without quotes. */
const operand = `["']?(?<secret>[^\\s"'$|;&<>-][^\\s"'|;&<>]{0,500})`;
/** Other words of the same command. */
const between = '(?:[^\\n|;&]{0,300}?\\s)?';
const wordStart = '(?<![A-Za-z0-9_.-])';
const tokenStart = '(?<![A-Za-z0-9])';

/** Space between a name and its value: more on one line, little across a line break. */
const space = '(?:[ \\t]{0,40}|\\s{0,4})';
/** A type annotation between a name and its value. */
const typed = '(?:\\??\\s{0,4}:\\s{0,4}&?(?:string|str|char)\\s{0,4}(?==))?';

/** The operator between them. A comparison only before a quoted text with a digit, `?:` only before a quoted text. */
const gives = `(?:=>|:=|=(?!=)|={2,3}(?=\\s{0,4}["'][^"'\\s]{0,200}[0-9])|:(?!:)|\\?\\s{0,4}:(?=\\s{0,4}["']))`;

/** `pass: 12` in a test result, or `pass: green`. */
const isNoPassword = ({ name, double, single, bare }: Record<string, string | undefined>): boolean =>
  name?.toLowerCase() === 'pass' && /^(?:[a-z]{1,40}|\d{1,6})$/i.test(double ?? single ?? bare ?? '');

/** Not a value but a variable, a wildcard or a word such as `true`. */
const isNoValue = ({ escaped, double, single, bare }: Record<string, string | undefined>): boolean =>
  (single === undefined ? /^[$*]/ : /^(?:\$[({A-Z]|\*)/).test(escaped ?? double ?? single ?? bare ?? '') ||
  /^(?:true|false|null|undefined|none|yes|no)$/i.test(escaped ?? double ?? single ?? bare ?? '');

/** The word after an option of these programs. */
const afterOption = (name: string, hints: string[], program: string, option: string): SecretPattern => ({
  name,
  hints,
  match: new RegExp(`${tokenStart}${program}\\s${between}${option}${operand}`, 'g'),
});

const token = (name: string, hints: string[], text: string): SecretPattern => ({
  name,
  hints,
  match: new RegExp(`${tokenStart}${text}`, 'g'),
});

export const secretPatterns: readonly SecretPattern[] = [
  {
    name: 'private key',
    hints: ['private key'],
    match:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  token(
    'AWS key id',
    ['akia', 'asia', 'abia', 'acca', 'aroa', 'aida'],
    '(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{16}(?![A-Za-z0-9])',
  ),
  token(
    'GitHub',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    '(?:gh[pousr]_[A-Za-z0-9]{16,255}|github_pat_[A-Za-z0-9_]{16,255})',
  ),
  token(
    'GitLab',
    ['glpat-', 'glptt-', 'gldt-', 'glrt-', 'glrtr-', 'glcbt-', 'glft-', 'glsoat-', 'glimt-', 'glagent-', 'gloas-', 'glffct-'],
    'gl(?:pat|ptt|dt|rt|rtr|cbt|ft|soat|imt|agent|oas|ffct)-[A-Za-z0-9_.-]{16,300}',
  ),
  token('Slack', ['xox', 'xapp-'], '(?:xox[abceoprs]-|xapp-)[A-Za-z0-9-]{10,250}'),
  token(
    'Slack webhook',
    ['hooks.slack.com'],
    'hooks\\.slack\\.com/(?:services|workflows|triggers)/(?<secret>[A-Za-z0-9/_-]{10,200})',
  ),
  token('OpenAI, Anthropic', ['sk-'], 'sk-(?:ant-|proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{16,400}'),
  token('npm', ['npm_'], 'npm_[A-Za-z0-9]{30,100}'),
  token('Google', ['aiza', 'ya29.'], '(?:AIza[A-Za-z0-9_-]{30,60}|ya29\\.[A-Za-z0-9_-]{20,400})'),
  token('Stripe', ['_live_', '_test_', 'whsec_'], '(?:[rsp]k_(?:live|test)_[A-Za-z0-9]{16,255}|whsec_[A-Za-z0-9+/=]{16,255})'),
  token('PyPI', ['pypi-'], 'pypi-[A-Za-z0-9_-]{16,400}'),
  token('Hugging Face', ['hf_'], 'hf_[A-Za-z0-9]{30,100}'),
  token('Docker', ['dckr_'], 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{16,100}'),
  token('SendGrid', ['sg.'], 'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,64}'),
  token('DigitalOcean', ['_v1_'], 'do[opr]_v1_[a-f0-9]{64}'),
  token('Vault', ['hvs.', 'hvb.'], 'hv[sb]\\.[A-Za-z0-9_-]{16,400}'),
  token('age', ['age-secret-key-'], 'AGE-SECRET-KEY-1[A-Z0-9]{50,70}'),
  token('JWT', ['eyj'], 'eyJ[A-Za-z0-9_-]{8,4000}\\.[A-Za-z0-9_-]{4,8000}(?:\\.[A-Za-z0-9_-]{0,4000}){1,3}'),
  {
    name: 'URL',
    hints: ['://'],
    match: new RegExp(`${tokenStart}[A-Za-z][A-Za-z0-9+.-]{1,30}://(?<secret>[^\\s/?#@"'<>\`]{1,1000})@`, 'g'),
    except: ({ secret }) => secret === 'git',
  },
  {
    name: 'URL query',
    hints: ['sig=', 'signature=', 'key=', 'code=', 'auth=', 'jwt=', 'session=', 'sid=', 'x-amz-'],
    match:
      /[?&](?:sig|signature|key|code|auth|jwt|session|sid|x-amz-(?:signature|credential|security-token))=(?<secret>[^&\s"'#]{1,2000})/gi,
  },
  {
    name: 'Authorization',
    hints: ['authorization'],
    match: new RegExp(
      `${wordStart}(?:proxy-)?authorization["']?\\s{0,8}[:=]\\s{0,8}["']?(?:[A-Za-z][A-Za-z0-9-]{1,30} {1,8})?(?<secret>[^\\s"',;]{2,4000})`,
      'gi',
    ),
    except: ({ secret }) => /^\$/.test(secret ?? ''),
  },
  { name: 'Bearer', hints: ['bearer '], match: /(?<![A-Za-z0-9])bearer {1,8}(?<secret>[A-Za-z0-9+/=._~-]{8,4000})/gi },
  {
    name: 'Basic',
    hints: ['basic '],
    match: /(?<![A-Za-z0-9])basic {1,8}(?<secret>(?=[A-Za-z]{0,200}[0-9+/=])[A-Za-z0-9+/]{8,2000}={0,2})/gi,
  },
  { name: 'Cookie', hints: ['cookie'], match: /(?<![A-Za-z0-9])(?:set-)?cookie\s{0,8}:\s{0,8}(?<secret>[^\r\n"']{1,4000})/gi },
  {
    name: 'assignment',
    hints: words,
    match: new RegExp(
      `${wordStart}(?<name>[A-Za-z0-9_.-]{0,64}?${word}[A-Za-z0-9_-]{0,32})(?:\\\\{0,4}["']\\]?)?${typed}${space}${gives}${space}${value}`,
      'gi',
    ),
    except: (groups) => isNoValue(groups) || /^(?:OLD)?PWD$/.test(groups.name ?? '') || isNoPassword(groups),
  },
  {
    name: 'key in capitals',
    hints: ['_key'],
    match:
      /(?<![A-Za-z0-9_.-])[A-Z][A-Z0-9_]{0,60}_KEY\s{0,4}[=:]\s{0,4}["']?(?<secret>(?=[A-Za-z+/=_-]{0,200}[0-9])[A-Za-z0-9+/=_-]{16,500})/g,
  },
  {
    name: 'element',
    hints: words,
    match: new RegExp(`<(?:[A-Za-z0-9_:.-]{0,40}?${word}[A-Za-z0-9_-]{0,20})>\\s{0,40}(?<secret>[^\\s<$][^<\\n]{0,500})</`, 'gi'),
  },
  {
    name: 'set',
    hints: words,
    match: new RegExp(
      `${tokenStart}set(?:x|env)?\\s{1,8}(?:\\S{0,100}[/:.])?[A-Za-z0-9_-]{0,64}?${word}[A-Za-z0-9_-]{0,32}\\s{1,8}["']?(?<secret>(?=[^\\s0-9]{0,200}[0-9])[^\\s"'$-][^\\s"']{0,500})`,
      'gi',
    ),
  },
  {
    name: 'option',
    hints: words,
    match: new RegExp(`(?<![^\\s"'])--?[A-Za-z0-9_-]{0,40}?${word}[A-Za-z0-9_-]{0,20}\\s{1,8}(?!-)${value}`, 'gi'),
    except: isNoValue,
  },
  {
    name: 'curl -u',
    hints: ['-u', '--user', '--proxy-user', '--auth'],
    match: /(?<![^\s"'])(?:-u|--user|--proxy-user|--auth)[\s=]{0,8}["']?[^\s:"'$-][^\s:"']{0,100}:(?<secret>[^\s"']{1,500})/g,
  },
  {
    name: 'sshpass',
    hints: ['sshpass'],
    match: /(?<![A-Za-z0-9])sshpass\s{1,8}-p\s{0,8}["']?(?<secret>[^\s"'-][^\s"']{0,500})/g,
  },
  {
    name: 'mysql -p',
    hints: ['mysql', 'mariadb'],
    match: /(?<![A-Za-z0-9])(?:mysql|mariadb)[a-z-]{0,12}\s(?:[^\n|;&]{0,300}?\s)?-p["']?(?<secret>[^\s"'-][^\s"']{0,200})/g,
  },
  afterOption(
    'login -p',
    ['login'],
    '(?:docker|podman|nerdctl|buildah|skopeo|helm|az|oc|cf|ibmcloud)',
    `login\\s${between}-p[\\s=]{0,8}`,
  ),
  afterOption('login', ['vault login'], 'vault', 'login\\s{1,8}'),
  afterOption(
    '-p',
    ['mongo', 'cqlsh', 'twine', '7z', 'rar'],
    '(?:mongo[a-z]{0,12}|cqlsh|twine|7z[a-z]?|(?:un)?rar)',
    '-p\\s{0,8}',
  ),
  afterOption(
    '-P',
    ['zip', 'sqlcmd', 'bcp ', 'mosquitto_'],
    '(?:(?:un)?zip|zipcloak|sqlcmd|bcp|mosquitto_[a-z]{2,4})',
    '-P\\s{0,8}',
  ),
  afterOption('-a', ['redis-cli'], 'redis-cli', '-a\\s{0,8}'),
  afterOption('-w', ['ldap'], 'ldap[a-z]{2,12}', '-w\\s{0,8}'),
  afterOption('-k', ['nssl'], 'openssl', '-[kK]\\s{1,8}'),
  afterOption('-a user:', ['http', 'xh'], '(?:https?|xhs?)', '-a\\s{1,8}["\']?[^\\s:"\']{1,100}:'),
  afterOption(
    'secret set',
    ['secret'],
    '(?:gh|glab|wrangler|fly(?:ctl)?)',
    `secret\\s{1,8}set\\s${between}(?:-b|--body)[\\s=]{1,8}`,
  ),
  {
    name: 'literal',
    hints: ['--from-literal'],
    match: /--from-literal[\s=]{1,8}["']?[^\s="']{1,200}=["']?(?<secret>[^\s"'$][^\s"']{0,2000})/g,
  },
  {
    name: 'cookie option',
    hints: ['--cookie', '-b'],
    match: new RegExp(
      `${tokenStart}curl\\s${between}(?:-b\\s{0,8}|--cookie[\\s=]{1,8})(?!-)(?:"(?<double>[^"\\n=]{1,200}=[^"\\n]{1,2000})|'(?<single>[^'\\n=]{1,200}=[^'\\n]{1,2000})|(?<bare>[^\\s"'=]{1,200}=[^\\s"']{1,2000}))`,
      'g',
    ),
  },
  {
    name: 'to stdin',
    hints: ['password-stdin', 'with-token', 'sudo', 'chpasswd', 'secret', '--stdin'],
    match: new RegExp(
      `${tokenStart}(?:echo|printf)\\s{1,8}(?:-[neE]{1,3}\\s{1,8}|["']?%s(?:\\\\n)?["']?\\s{1,8})?["']?(?<secret>[^\\s"'$|-][^\\s"'|]{0,500})["']?\\s{0,8}\\|[^|\\n]{0,200}?(?:--password-stdin|--with-token|sudo\\s{1,8}(?:-[A-Za-z]{1,8}\\s{1,8})?-[A-Za-z]{0,8}S|chpasswd|--stdin|secret\\s{1,8}(?:set|put|create))`,
      'g',
    ),
  },
  {
    name: 'here-string',
    hints: ['-stdin', 'with-token', 'passphrase-fd', 'luksopen', ...words],
    match: new RegExp(
      `(?:--password-stdin|--with-token|--passphrase-fd\\s{1,8}(?:0|REDACTED)|luksOpen|read\\s{1,8}(?:-[rs]{1,2}\\s{1,8})?[A-Za-z0-9_]{0,64}${word}[A-Za-z0-9_]{0,32})[^\\n|;&<]{0,200}<<<\\s{0,8}["']?(?<secret>[^\\s"'$][^\\s"']{0,500})`,
      'gi',
    ),
  },
  {
    name: 'webhook',
    hints: ['/api/webhooks/', 'webhook.office.com'],
    match:
      /(?:discord(?:app)?\.com\/api\/webhooks\/\d{1,30}|webhook\.office\.com\/webhookb2)\/(?<secret>[A-Za-z0-9@/_-]{10,400})/g,
  },
  token('Telegram', [':aa'], '(?:bot)?\\d{6,12}:AA[A-Za-z0-9_-]{30,60}'),
  { name: 'netrc', hints: ['login'], match: /(?<![A-Za-z0-9])login\s{1,8}\S{1,200}\s{1,8}password\s{1,8}(?<secret>\S{1,500})/g },
];

const secretName = new RegExp(`${word}|^authorization$|^proxy-authorization$|^(?:set-)?cookie$`, 'i');

/**
 * Names of facts, decisions and common tool parameters. They are in every line and never mean a secret. With this list, a process
 * that writes one line need not compile the pattern for them.
 */
export const plainNames: ReadonlySet<string> = new Set(
  [
    'agent agents allow_keys also approved argv bash below branch bundle bundles by class column command commands complete contained context current_branch',
    'cwd decision decision_id deep dependency description domains done effect entered_by event extra file files granted group hits id implied',
    'keys kind known labels line matched may_write_anywhere metrics mode name names network note on open_prefixes own params path paths',
    'permission_mode plan policies protection protections readings reads real reason remedy remedies requested_by result revision root rules scope',
    'server session since skills source spellings state task text timer_server_handler_ns timestamp title tool took_us top type unnamed',
    'used_percent version via why writes content file_path glob input limit new_string offset old_string output_mode pattern prompt query',
    'replace_all run_in_background subagent_type timeout url',
  ]
    .join(' ')
    .split(' '),
);

/** True for the name of a field, header or option with a secret value. */
export function isSecretName(name: string): boolean {
  return !plainNames.has(name) && name.length <= 100 && secretName.test(name);
}

/** True for an option whose next word is secret. */
export function isSecretOption(text: string): boolean {
  return text.length <= 64 && /^--?[A-Za-z]/.test(text) && !text.includes('=') && secretName.test(text);
}

/** Most texts contain no hint. */
const anyHint = new RegExp(
  [...new Set(secretPatterns.flatMap(({ hints }) => hints))].map((hint) => hint.replaceAll('.', '\\.')).join('|'),
);

/** The text with its secrets replaced. `found` is called with each secret. */
export function redact(text: string, found: (secret: string) => void): string {
  const lower = text.toLowerCase();
  if (!anyHint.test(lower)) return text;
  let masked = text;
  for (const { hints, match, except } of secretPatterns) {
    if (!hints.some((hint) => lower.includes(hint))) continue;
    masked = masked.replace(match, (...parts: unknown[]) => {
      const whole = parts[0] as string;
      const last = parts.at(-1);
      const groups = (typeof last === 'object' && last !== null ? last : {}) as Record<string, string | undefined>;
      if (except?.(groups)) return whole;
      const secret = groups.secret ?? groups.escaped ?? groups.double ?? groups.single ?? groups.bare ?? whole;
      if (secret === REDACTED) return whole;
      found(secret);
      const at = whole.lastIndexOf(secret);
      return whole.slice(0, at) + REDACTED + whole.slice(at + secret.length);
    });
  }
  return masked;
}
