// Commands with the purpose of printing credentials. No path rule covers them, because the credentials are not in a file of the
// project. The tag is independent of the class, so it also marks commands that the tables do not understand.
import type { Arg } from './arg.ts';

/**
 * Words that must occur in this order among the words of the command, with any words between them. `a|b` matches either, and `*`
 * matches any text. If a regular expression is given, the words joined by blanks must also match it.
 */
type Pattern = string | [words: string, options: RegExp];

const KUBECTL: Pattern[] = [
  // Without an output format, only names and sizes are printed.
  [
    'get secret|secrets|secret/*|secrets/*|secret.*|secrets.*|secret,*|secrets,*|*,secret|*,secrets|*,secret,*|*,secrets,*',
    / (?:-[A-Za-z]*o|--o[a-z]*(?![a-z])|--te[a-z]*)(?!(?:=| )?(?:name|wide)(?: |$))/,
  ],
  ['get', / --raw(?:=| ).*secrets/],
  // Tokens of service accounts are printed in plain text.
  'describe secret|secrets|secret/*|secrets/*|secret.*|secrets.*|secret,*|secrets,*|*,secret|*,secrets|*,secret,*|*,secrets,*',
  ['config view', / --raw(?!=false)/],
  'create token',
  ['whoami', / (?:-t|--show-token)(?: |$)/],
  'extract secret/*|secrets/*',
  'sa|serviceaccounts get-token|new-token',
  'view-secret|modify-secret',
];

const TERRAFORM: Pattern[] = [
  'state pull',
  // A single output is printed even if it is marked as sensitive.
  ['output', / output(?: .*)? (?:--?(?:json|raw)|[^-\s])/],
  ['show', / --?json(?: |$)/],
];

const VAULT: Pattern[] = [
  'kv get',
  'read',
  'print token',
  'token lookup|create',
  'unwrap',
  'login',
  'operator init|generate-root',
];

const METADATA: Pattern[] = ['*169.254.169.254*|*169.254.170.2*|*metadata.google.internal*|*fd00:ec2::254*|*100.100.100.200*'];

const NODE: Pattern[] = [
  'config|c get *_auth*|*_password*|*token*|*npmAuth*',
  ['config', / --no-redacted(?: |$)/],
  'token create',
];

const FLY: Pattern[] = ['auth token', 'tokens create|attenuate', 'ssh issue', 'wireguard create'];

const SECRETS: Readonly<Record<string, readonly Pattern[]>> = {
  git: ['credential fill', 'credential-* get', ['config', /extraheader|token|passw|oauth|secret/i]],
  gh: [
    'auth token',
    ['auth status', / (?:-[a-z]*t|--show-t\S*)(?: |$)/],
    'auth git-credential',
    'config get *token*',
    ['auth', / --show-t/],
  ],
  glab: [
    'config get *token*',
    ['auth status', / (?:-[a-z]*t|--show-t\S*)(?: |$)/],
    'variable get|list|ls|export',
    'auth git-credential',
  ],
  kubectl: KUBECTL,
  oc: KUBECTL,
  terraform: TERRAFORM,
  tofu: TERRAFORM,
  aws: [
    'get-*token*|generate-*token*|get-*password|get-*password-data|*secret-value*|get-*credential*|export-credentials|assume-role*|create-access-key|get-login|list-api-keys|get-instance-access*|*stream-key*|get-*api-key',
    ['ssm get-parameter*', / --w[a-z-]*(?: |$)/],
    ['apigateway get-api-key*', / --include-v/],
    'configure get *secret*|*token*|*key*',
    'kms decrypt|generate-data-key*',
    'cognito-idp describe-user-pool-client',
    'lightsail get-instance-access-details|get-relational-database-master-user-password',
  ],
  gcloud: [
    'secrets versions access',
    '*print-access-token|print-identity-token|print-refresh-token',
    'config config-helper',
    'sql generate-login-token',
    'services api-keys get-key-string',
    'kms decrypt',
    'iam service-accounts keys create',
    'compute reset-windows-password',
  ],
  az: [
    'account get-access-token',
    'keyvault secret show|download',
    'keyvault key|certificate download',
    'credential|credentials show|list|reset',
    'keys|key list|show|renew',
    'list-keys|list-publishing-credentials|list-publishing-profiles|show-connection-string|list-connection-strings',
    'connection-string list|show',
    'admin-key|query-key show|list',
    'appsettings list',
    'generate-sas|create-for-rbac|get-credentials',
    ['acr login', / --expose-t/],
    'containerapp secret show',
    ['containerapp secret list', / --show-v/],
  ],
  vault: VAULT,
  bao: VAULT,
  op: ['read|inject|run', 'item get', 'document get', 'connect token', 'signin'],
  pass: ['show|grep|otp|*'],
  gopass: ['show|cat|grep|otp|*'],
  bw: ['get', 'list items', 'export|unlock|login|serve'],
  bws: ['secret get|list'],
  rbw: ['get|code'],
  lpass: ['show|export'],
  'keepassxc-cli': ['show|export|clip|search|attachment-export'],
  'secret-tool': ['lookup|search'],
  keyring: ['get'],
  security: [['find-generic-password|find-internet-password', / -[a-z]*[wg]/], 'dump-keychain|export'],
  doppler: ['secrets', 'configure get token', 'run'],
  infisical: ['secrets|export|run'],
  chamber: ['read|export|env|exec|find'],
  sops: ['decrypt|exec-env|exec-file|edit', ['*', / (?:-[a-z]*d|--d[a-z]*)(?: |$)/]],
  'ansible-vault': ['view|decrypt|edit'],
  gpg: [['', / --export-(?:secret|ssh-secret)/]],
  gpg2: [['', / --export-secret/]],
  npm: NODE,
  pnpm: NODE,
  yarn: NODE,
  poetry: ['config *http-basic*|*pypi-token*'],
  composer: ['config *oauth*|*http-basic*|*bearer*|*gitlab-token*'],
  heroku: [['config', / config(?: |$)/], 'config:get', 'auth:token', 'pg:credentials:url', 'authorizations:*'],
  fly: FLY,
  flyctl: FLY,
  netlify: ['env:list|env:get'],
  vercel: ['env pull'],
  firebase: ['login:ci|functions:config:get|functions:secrets:access'],
  supabase: ['projects api-keys', 'status'],
  railway: ['variables'],
  doctl: ['auth token', 'databases connection', 'kubernetes cluster kubeconfig show', 'registry docker-config'],
  pulumi: [['', / --show-secrets(?!=false)/], 'config get'],
  podman: [['secret inspect', / --showsecret/]],
  argocd: ['admin initial-password', 'account generate-token'],
  stripe: [['config', / --list/]],
  rclone: ['config show|dump', 'reveal'],
  nmcli: [['', / (?:-[a-z]*s|--show-secrets)(?: |$)|-psk|password/]],
  wg: ['show private-key|preshared-keys|dump', 'showconf'],
  'aws-vault': ['exec|export'],
  cf: ['oauth-token', 'env'],
  hcp: ['auth print-access-token'],
  ibmcloud: ['iam oauth-tokens'],
  databricks: ['auth token'],
  curl: METADATA,
  wget: METADATA,
  http: METADATA,
};

/** Helpers that print stored credentials for their caller. */
const HELPERS = /^(?:docker-credential-.+|git-credential-.+)$/;

interface Compiled {
  words: RegExp[];
  options: RegExp | null;
}

const compiled = new Map<string, Compiled[]>();

function patternsOf(program: string): readonly Compiled[] | undefined {
  let found = compiled.get(program);
  if (found === undefined && Object.hasOwn(SECRETS, program)) {
    found = SECRETS[program]!.map(compile);
    compiled.set(program, found);
  }
  return found;
}

function compile(pattern: Pattern): Compiled {
  const [text, options] = typeof pattern === 'string' ? [pattern, null] : pattern;
  const words = text.split(' ').filter((word) => word !== '');
  return {
    words: words.map((word) => new RegExp(`^(?:${word.split('|').map(globbed).join('|')})$`, 's')),
    options,
  };
}

function globbed(word: string): string {
  return word
    .split('*')
    .map((part) => part.replaceAll(/[.:/]/g, '\\$&'))
    .join('.*');
}

/** True if these words (starting with the command word) print credentials, or may do so because some of them are unknown. */
export function printsSecrets(program: string, args: readonly Arg[]): boolean {
  if (HELPERS.test(program)) return true;
  const patterns = patternsOf(program);
  if (patterns === undefined) return false;
  const rest = args.slice(1);
  if (program === 'pass' || program === 'gopass') return !isListing(rest);
  return patterns.some((pattern) => isMatch(pattern, rest));
}

/** `pass NAME` prints an entry. These words do not. */
function isListing(rest: readonly Arg[]): boolean {
  return /^(?:|ls|list|find|search|help|version|--help|-h|--version|init|git)$/.test(rest[0]?.literal ?? (rest[0] ? 'x' : ''));
}

function isMatch({ words, options }: Compiled, rest: readonly Arg[]): boolean {
  let next = 0;
  let isOpen = false;
  for (const arg of rest) {
    const { literal } = arg;
    // An unknown word may be any of the missing words.
    if (literal === null && arg.several) next = words.length;
    if (literal === null) isOpen = true;
    if (next < words.length && (literal === null || words[next]!.test(literal))) next++;
  }
  if (next < words.length) return false;
  if (options === null || isOpen) return true;
  return options.test(` ${rest.map((arg) => arg.literal ?? '').join(' ')} `);
}
