// Commands that print credentials or an environment. No path rule covers them, because these are not in a file of the project. The
// tags are independent of the class, so they also mark commands that the tables do not understand.
import type { CommandTag } from '../model/command.ts';
import type { Arg } from './arg.ts';

/**
 * Words that must occur in this order among the words of the command, with any words between them. `a|b` matches either, and `*`
 * matches any text. If a regular expression is given, the words joined by blanks must also match it.
 */
type Pattern = string | [words: string, options: RegExp];

/** The kinds in a list of kinds (`cm,secret`), with a name (`secret/x`), or with a version (`secrets.v1.`). */
function kinds(names: string): string {
  const forms = (name: string) => [name, `${name}/*`, `${name}.*`, `${name},*`, `*,${name}`, `*,${name},*`];
  return names.split('|').flatMap(forms).join('|');
}

const SECRET = kinds('secret|secrets');

const KUBECTL: Pattern[] = [
  // Without an output format, only names and sizes are printed.
  [`get ${SECRET}`, / (?:-[A-Za-z]*o|--o[a-z]*(?![a-z])|--te[a-z]*)(?!(?:=| )?(?:name|wide)(?: |$))/],
  ['get', / --raw(?:=| ).*secrets/],
  // Tokens of service accounts are printed in plain text.
  `describe ${SECRET}`,
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

/** Without an option that prints only names. */
const COMPOSE_FILE =
  /^(?!.* (?:-q|--quiet|--services|--volumes|--images|--profiles|--networks|--models|--variables|--hash)(?:[= ]|$))/;

const FLY: Pattern[] = ['auth token', 'tokens create|attenuate', 'ssh issue', 'wireguard create'];

// age is written in Go, so one dash and `-d=true` work as well. Clap's `rage` bundles letters.
const AGE: Pattern[] = [['', / (?:-[a-z]*d|--?d[a-z]*)(?:=| |$)/]];

const SECRETS: Readonly<Record<string, readonly Pattern[]>> = {
  git: ['credential fill', 'credential-* get', ['config', /extraheader|token|passw|oauth|secret/i]],
  rails: ['credentials:*|secrets:*|encrypted:*'],
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
  wrangler: ['auth token'],
  uv: ['auth token'],
  eas: ['env:list|env:get|env:pull|env:exec'],
  consul: ['kv get|export', 'acl bootstrap', 'acl token read|list|create|clone'],
  age: AGE,
  rage: AGE,
  curl: METADATA,
  wget: METADATA,
  http: METADATA,
};

const WORKLOADS = kinds(
  'pods|pod|po|deployments|deployment|deploy|statefulsets|statefulset|sts|daemonsets|daemonset|ds|replicasets|replicaset|rs|jobs|job|cronjobs|cronjob|cj|all',
);

const KUBECTL_ENVIRONMENT: Pattern[] = [
  `describe ${WORKLOADS}`,
  // In other output formats, only names and states are printed.
  [`get ${WORKLOADS}`, / (?:-[A-Za-z]*o|--o[a-z]*)(?:=| )?(?:json|yaml|\$)(?: |$)|Path=\S*env|template=\S*env/i],
  ['set env', / --list/],
];

// A format prints the environment if it names it, or prints all. Networks and volumes have none.
const CONTAINERS: Pattern[] = [
  ['inspect', /^(?! (?:network|volume|context|buildx|manifest|system|node|plugin) )(?!.* (?:-f|--f))/],
  ['inspect', / (?:-f|--f[a-z]*)(?: |=)?(?:\$|json|.*(?:\.Env\b|"Env"|\.(?:Config|Spec)? *\}\}))/],
  ['compose config|convert', COMPOSE_FILE],
];

/** Only the listing of all variables, or of all exported ones. */
const DECLARED: Pattern[] = [['', /^ +(?:-[^fF\s]+ )*$/]];

const AWK: Pattern[] = [['', /\bENVIRON\b/]];
const JQ: Pattern[] = [['', /\$ENV|(?:^|[^.\w$"/-])env(?!\.json|[\w:-])/]];

const ENVIRONMENT: Readonly<Record<string, readonly Pattern[]>> = {
  printenv: [['', /^(?!(?: (?:-0|--null|PATH|HOME|USER|SHELL|PWD|LANG|TERM|NODE_ENV|CI|TZ))+ $)/]],
  set: [['', /^ +$/]],
  export: [['', /^ +(?:-p )?$/]],
  declare: DECLARED,
  typeset: DECLARED,
  local: DECLARED,
  readonly: DECLARED,
  // Options in the style of BSD have no dash: in `ps aux e`, `e` shows the environment.
  ps: [
    ['', /^(?: [acefghjlmnrsuvwxACDLMSTXZ]+)*? (?:[acfghjlmnrsuvwxACDLMSTXZ]*e[acefghjlmnrsuvwxACDLMSTXZ]*|\$) | -[A-Za-z]*E/],
  ],
  php: [['', / -i /]],
  jq: JQ,
  gojq: JQ,
  jaq: JQ,
  yq: [['', /\$ENV|\b(?:str)?env\(|\benvsubst\b/]],
  awk: AWK,
  gawk: AWK,
  mawk: AWK,
  npm: ['run|run-script env'],
  yarn: ['run env'],
  direnv: ['export|dump|exec'],
  systemctl: [
    'show-environment',
    ['show', /^(?!.* (?:-p|--property))/],
    ['show', / (?:-p|--property)(?:=| )?(?:\S*Environment|\$)/],
  ],
  launchctl: ['getenv|export'],
  tmux: ['show-environment|showenv'],
  docker: CONTAINERS,
  podman: CONTAINERS,
  nerdctl: CONTAINERS,
  'docker-compose': [['config|convert', COMPOSE_FILE]],
  'podman-compose': [['config|convert', COMPOSE_FILE]],
  kubectl: KUBECTL_ENVIRONMENT,
  oc: KUBECTL_ENVIRONMENT,
  aws: ['lambda get-function|get-function-configuration|list-functions', 'ecs describe-task-definition'],
  gcloud: ['functions|services|jobs|revisions describe'],
  fly: ['config env|show'],
  flyctl: ['config env|show'],
  vercel: ['env ls|list'],
};

/** Helpers that print stored credentials for their caller. */
const HELPERS = /^(?:docker-credential-.+|git-credential-.+)$/;

interface PatternWord {
  form: RegExp;
  /** The text before the first star of each alternative. */
  heads: readonly string[];
  /** Names a thing and no subcommand, so that other things may come before it. */
  isOperand: boolean;
}

interface Compiled {
  words: readonly PatternWord[];
  options: RegExp | null;
}

type Table = Readonly<Record<string, readonly Pattern[]>>;

const compiled = new Map<Table, Map<string, Compiled[]>>();

function patternsOf(table: Table, program: string): readonly Compiled[] {
  if (!Object.hasOwn(table, program)) return [];
  const known = compiled.get(table) ?? new Map<string, Compiled[]>();
  compiled.set(table, known);
  const found = known.get(program) ?? table[program]!.map(compile);
  known.set(program, found);
  return found;
}

function compile(pattern: Pattern): Compiled {
  const [text, options] = typeof pattern === 'string' ? [pattern, null] : pattern;
  const words = text.split(' ').filter((word) => word !== '');
  return {
    words: words.map((word) => {
      const all = word.split('|');
      const form = new RegExp(`^(?:${all.map(globbed).join('|')})$`, 's');
      return { form, heads: all.map((one) => one.split('*')[0]!), isOperand: all.every((one) => one.startsWith('*')) };
    }),
    options,
  };
}

function globbed(word: string): string {
  return word
    .split('*')
    .map((part) => part.replaceAll(/[.:/]/g, '\\$&'))
    .join('.*');
}

/** Tags of the output of these words (starting with the command word), also if some are unknown and may be words that print it. */
export function tagsOfOutput(program: string, args: readonly Arg[]): CommandTag[] {
  const rest = args.slice(1);
  const tags: CommandTag[] = [];
  if (printsSecrets(program, rest)) tags.push('secrets');
  if (patternsOf(ENVIRONMENT, program).some((pattern) => isMatch(pattern, rest, program, false))) tags.push('environment');
  return tags;
}

function printsSecrets(program: string, rest: readonly Arg[]): boolean {
  if (HELPERS.test(program)) return true;
  if (program === 'pass' || program === 'gopass') return !isListing(rest);
  return patternsOf(SECRETS, program).some((pattern) => isMatch(pattern, rest, program, true));
}

/** `pass NAME` prints an entry. These subcommands do not. */
function isListing(rest: readonly Arg[]): boolean {
  return /^(?:|ls|list|find|search|help|version|--help|-h|--version|init|git)$/.test(rest[0]?.literal ?? (rest[0] ? 'x' : ''));
}

/**
 * The words that select a command come first. They may follow this number of other words: the service of `aws sts get-session-token`.
 * Any number: the groups of `gcloud` and `az`, and programs without subcommands.
 */
const DEPTH: Readonly<Record<string, number>> = {
  aws: 1,
  az: Number.POSITIVE_INFINITY,
  curl: Number.POSITIVE_INFINITY,
  gcloud: Number.POSITIVE_INFINITY,
  http: Number.POSITIVE_INFINITY,
  nmcli: Number.POSITIVE_INFINITY,
  wget: Number.POSITIVE_INFINITY,
};

const KUBECTL_OPTIONS = '-n --namespace -s --server --context --cluster --kubeconfig --user --as --token --request-timeout';

/** Options that certainly take the next word. */
const VALUED = setsOf({
  git: '-C -c --git-dir --work-tree --namespace',
  gh: '-R --repo --hostname',
  glab: '-R --repo',
  kubectl: KUBECTL_OPTIONS,
  oc: KUBECTL_OPTIONS,
  aws: '--profile --region --output --endpoint-url --query --color --ca-bundle',
  az: '--subscription -g --resource-group -n --name -o --output --query',
  gcloud: '--project --account --configuration --format --filter --region --zone --verbosity',
  npm: '--prefix -w --workspace --registry',
  pnpm: '-C --dir --filter --registry',
  yarn: '--cwd',
  heroku: '-a --app',
});

function setsOf(lists: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(Object.entries(lists).map(([program, list]) => [program, new Set(list.split(' '))]));
}

/** A place in a pattern: the number of matched words, and the other words since the last of them. */
interface MatchState {
  next: number;
  others: number;
  /** A word matched after the words of another command, so unknown words add nothing. */
  isLoose: boolean;
}

/**
 * True if the words match, or may match because some of them are unknown. An unknown word can be a missing word only where that
 * word is possible. It cannot come after `git log`, which is another command. With `mayAddOptions`, an unknown word may also be the
 * option that prints more; otherwise `options` sees it as a dollar sign.
 */
function isMatch({ words, options }: Compiled, rest: readonly Arg[], program: string, mayAddOptions: boolean): boolean {
  const { [program]: depth = 0 } = DEPTH;
  const valued = VALUED.get(program);
  let states: MatchState[] = [{ next: 0, others: 0, isLoose: false }];
  let isOpen = false;
  /** The previous word if it is, or may be, an option. */
  let option = '';
  for (const arg of rest) {
    const { literal } = arg;
    const text = literal ?? arg.lead;
    const isValue = valued?.has(option) === true && !arg.several;
    // The word after another option may be its value. `kubectl get pod/a secret/b` gets several things.
    const isOther = literal !== null && !isValue && option === '' && !/^-|\//.test(text);
    const mayBeOption = !isValue && (text.startsWith('-') || (literal === null && isOpenWord(arg)));
    if (literal === null && mayBeOption) isOpen = true;
    const reached: MatchState[] = [];
    for (const state of states) {
      const { next, others, isLoose } = state;
      const word = words[next];
      reached.push(isOther && word !== undefined ? { ...state, others: others + 1 } : state);
      if (word === undefined || isValue) continue;
      const isClosed = others > (next === 0 ? depth : 0) && !(next > 0 && word.isOperand);
      if (literal !== null) {
        if (word.form.test(literal)) reached.push({ next: next + 1, others: 0, isLoose: isLoose || isClosed });
      } else if (isLoose || isClosed) continue;
      else if (arg.several) reached.push({ next: words.length, others: 0, isLoose });
      else if (mayBe(arg, word)) reached.push({ next: next + 1, others: 0, isLoose });
    }
    states = distinct(reached);
    option = mayBeOption && !/=|^--no-/.test(text) ? text || '-' : '';
  }
  const complete = states.filter(({ next }) => next >= words.length);
  if (complete.length === 0) return false;
  if (options === null || (mayAddOptions && isOpen && complete.some(({ isLoose }) => !isLoose))) return true;
  return options.test(` ${rest.map((arg) => arg.literal ?? '$').join(' ')} `);
}

/** True if an unknown word may begin with a dash. */
function isOpenWord({ lead, int, shape, texts }: Arg): boolean {
  return lead === '' && !int && shape === null && (texts === null || texts.some((text) => text.startsWith('-')));
}

function distinct(states: readonly MatchState[]): MatchState[] {
  return [...new Map(states.map((one) => [`${one.next} ${Math.min(one.others, 2)} ${one.isLoose}`, one])).values()];
}

/** True if an unknown word can be one that matches. */
function mayBe({ texts, int, shape, lead }: Arg, { form, heads }: PatternWord): boolean {
  if (texts !== null) return texts.some((text) => form.test(text));
  if (int || shape?.kind === 'count') return false;
  // In an address with a known host, the rest is a path.
  const host = /^https?:\/\/[^/?#$]+(?=[/?#])/i.exec(lead);
  if (host) return form.test(host[0]);
  return heads.some((head) => head.startsWith(lead) || lead.startsWith(head));
}
