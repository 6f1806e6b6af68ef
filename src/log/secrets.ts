// What a secret looks like in text: a table. Every pattern begins at a word's edge and has bounds, so none walks a text more than once.

/** What stands in a secret's place: a plain word for a shell, a URL, JSON and YAML alike. */
export const REDACTED = 'REDACTED';

interface SecretPattern {
  name: string;
  /** Text without one of these, in lower case, is not looked at. */
  hints: readonly string[];
  /** The secret is the group `secret`, else the whole match. */
  match: RegExp;
  /** Something found that is none. */
  except?: (groups: Record<string, string | undefined>) => boolean;
}

/** Words that say that a value is secret, within a name. */
const word =
  '(?:passw(?:or)?d|passwd|passphrase|pwd|secret|token|credentials?|(?:api|access|private|account|signing|encryption|auth)[-_]?key)';
/** In quotes, or up to white space or what ends a word in a shell, a URL, JSON. */
const value = `(?:"(?<double>[^"\\n]{1,2000})"|'(?<single>[^'\\n]{1,2000})'|(?<bare>[^\\s"'&;,|<>(){}\\[\\]\`]{1,2000}))`;
const wordStart = '(?<![A-Za-z0-9_.-])';
const tokenStart = '(?<![A-Za-z0-9])';

/** A variable, a wildcard, an option or another word of the text in a value's place. */
const isNoValue = (groups: Record<string, string | undefined>): boolean =>
  /^[$*]|^(?:true|false|null|undefined|none|yes|no)$/i.test(groups.double ?? groups.single ?? groups.bare ?? '');

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
    hints: ['sig=', 'signature=', 'key=', 'code=', 'x-amz-'],
    match: /[?&](?:sig|signature|key|code|x-amz-(?:signature|credential|security-token))=(?<secret>[^&\s"'#]{1,2000})/gi,
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
    hints: ['passw', 'passphrase', 'pwd', 'secret', 'token', 'credential', 'key'],
    match: new RegExp(
      `${wordStart}(?<name>[A-Za-z0-9_.-]{0,64}?${word}[A-Za-z0-9_-]{0,32})["']?\\s{0,4}(?:=|:(?!:))\\s{0,4}${value}`,
      'gi',
    ),
    except: (groups) => isNoValue(groups) || /^(?:OLD)?PWD$/.test(groups.name ?? ''),
  },
  {
    name: 'option',
    hints: ['-passw', '-passphrase', 'secret', 'token', 'credential', 'key', '_passw'],
    match: new RegExp(`(?<![^\\s"'])--?[A-Za-z0-9_-]{0,40}?${word}[A-Za-z0-9_-]{0,20}\\s{1,8}(?!-)${value}`, 'gi'),
    except: isNoValue,
  },
  {
    name: 'curl -u',
    hints: ['-u', '--user', '--proxy-user'],
    match: /(?<![^\s"'])(?:-u|--user|--proxy-user)[\s=]{0,8}["']?[^\s:"'$-][^\s:"']{0,100}:(?<secret>[^\s"']{1,500})/g,
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
  { name: 'netrc', hints: ['login'], match: /(?<![A-Za-z0-9])login\s{1,8}\S{1,200}\s{1,8}password\s{1,8}(?<secret>\S{1,500})/g },
];

const secretName = new RegExp(`${word}|^authorization$|^proxy-authorization$|^(?:set-)?cookie$`, 'i');

/** True for the name of a field, header or option whose value is secret. */
export function isSecretName(name: string): boolean {
  return name.length <= 100 && secretName.test(name);
}

/** True for an option whose next word is secret. */
export function isSecretOption(text: string): boolean {
  return text.length <= 64 && /^--?[A-Za-z]/.test(text) && !text.includes('=') && secretName.test(text);
}

/** Most texts hold no hint at all. */
const anyHint = new RegExp(
  [...new Set(secretPatterns.flatMap(({ hints }) => hints))].map((hint) => hint.replaceAll('.', '\\.')).join('|'),
);

/** The text with secrets replaced; every secret found is told. */
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
      const secret = groups.secret ?? groups.double ?? groups.single ?? groups.bare ?? whole;
      if (secret === REDACTED) return whole;
      found(secret);
      const at = whole.lastIndexOf(secret);
      return whole.slice(0, at) + REDACTED + whole.slice(at + secret.length);
    });
  }
  return masked;
}
