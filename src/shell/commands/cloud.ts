// Containers, clusters, forges, and clouds, in their read-only forms.
import type { Arg } from '../arg.ts';
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { registryOf } from '../hosts.ts';
import { type Given, has, type OptionTable, option } from '../options.ts';
import { COMPOSE, compose, DOCKER_IMAGES, DOCKER_INSPECT, DOCKER_LOGS, DOCKER_PS, executingInside } from './compose.ts';
import { OVERRIDES } from './curl.ts';
import { asks, looks, onlyAsks, sends, sentFile, sentFiles } from './verbs.ts';

const GH_LIST =
  '--review-requested: --reviewed-by: --involves: --commenter: --comments: --reactions: --interactions: --team-mentions: --stars: --forks: --followers: --topic-count: --license: --number-topics: --hash: --author-name: --author-email: --author-date: --committer: --committer-date: --locked --no-assignee --no-label --no-milestone --no-project --include-forks: --good-first-issues: --help-wanted-issues: --parents -L: -s: -l: -a: -A: -S: -q: -t: -R: -H: -B: -b: -u: -e: -c: -m: -d --limit: --state: --label: --assignee: --author: --search: --json: --jq: --template: --repo: --head: --base: --branch: --workflow: --user: --event: --status: --commit: --created: --milestone: --mention: --app: --draft --order: --sort: --language: --topic: --visibility: --archived --fork --source --no-archived --exclude-drafts --exclude-pre-releases --key: --ref: --include-content --public --secret --owner: --updated: --match: --extension: --filename: --size: --merged --merged-at: --closed: --review: --checks: --include-prs --env: --org: --all';
const GH_VIEW =
  '-c -q: -t: -R: -v -r: -b: -y -f: --comments --json: --jq: --template: --repo: --verbose --log --log-failed --job: -j: --attempt: -a: --exit-status --ref: --branch: --yaml --color: --name-only --patch --files --raw --filename: -e:x --required --watch --fail-fast -i: --interval: --compact --hostname: --active --show-token';

/** Image names may begin with a registry. For a login, the operand is the registry alone. */
function images(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.network();
  if (/(?:pull|push|login|logout)$/.test(call.name)) call.unknown(`${call.name} does more than read`);
  for (const o of given.operands) {
    const host = o.literal === null ? null : registryOf(/log(?:in|out)$/.test(call.name) ? `${o.literal}/-` : o.literal);
    if (host !== null) call.network(host);
  }
}

/** A repository may be given with its host, also before the subcommand. */
function ghAsks(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.roles(given);
  call.network();
  const words = call.host.effects.commands[call.entry]!.argv;
  words.forEach((word, at) => {
    const glued = /^(?:--repo=|-R=?)(.+)$/s.exec(word ?? '')?.[1];
    const named = glued ?? (/^(?:-R|--repo)$/.test(word ?? '') ? words[at + 1] : null);
    const host = /^([^/:]+)\/[^/]+\/[^/]+$/.exec(named ?? '')?.[1];
    if (host) call.network(host.toLowerCase());
  });
}

/** Without the option it opens a page in a browser. */
function ghBrowse(call: CommandCall, t: OptionTable) {
  ghAsks(call, t);
  if (!has(call.parse(t), 'n', 'no-browser')) call.unknown('gh browse opens a page');
}

/** `gh api` is read-only unless a field, a body, or another method is given. */
function ghApi(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.roles(given);
  call.network();
  const address = given.operands[0];
  if (/^https?:\/\//i.test(address?.lead ?? '')) call.url(address!);
  const method = option(given, 'X', 'method');
  if (method && method.value?.literal !== 'GET' && method.value?.literal !== 'HEAD')
    call.unknown(`${call.name} with another HTTP method may change something`, method.arg);
  if (given.operands[0]?.literal === 'graphql') return ghQuery(call, given);
  for (const o of given.options)
    if (OVERRIDES.test(o.value?.literal ?? '')) call.unknown(`${call.name} uses another HTTP method`, o.arg);
  const field = given.options.find((o) => /^(?:f|F|field|raw-field|input)$/.test(o.name));
  if (field && !method) call.unknown(`${call.name} with fields sends a POST`, field.arg);
  const file = given.options.find(
    (o) => o.name === 'input' || (/^(?:F|field)$/.test(o.name) && /^[^=]*=@/.test(o.value?.literal ?? '=@')),
  );
  if (file) call.unknown(`${call.name} sends the content of a file`, file.arg);
  for (const { name, value } of given.options) {
    if (!value) continue;
    if (name === 'input') call.read(value, call.name);
    else if (/^(?:F|field)$/.test(name)) sentFile(call, value, /^[^=]*=@/);
  }
  // A question mark is a glob, but its matches begin with the same text.
  const open = given.operands.filter((o) => o.literal === null && !(o.pattern && /^\/?repos\//.test(o.lead)));
  for (const o of open) call.unknown('the address is unknown', o);
  if (!method && !field && open.length === 0 && !/^https?:/i.test(address?.lead ?? '')) call.queries();
}

/** A GraphQL query is always sent with POST. A change must be marked as a mutation in it. */
function ghQuery(call: CommandCall, given: Given) {
  let hasQuery = false;
  for (const o of given.options.filter(({ name }) => /^(?:f|F|field|raw-field|input)$/.test(name))) {
    const text = o.value?.literal ?? '';
    if (o.name === 'input' || !/^\w+=(?!@)/.test(text)) call.unknown('the data that gh api graphql sends is unknown', o.arg);
    if (!text.startsWith('query=')) continue;
    hasQuery = true;
    if (!/^query=\s*(?:query\b|\{)/.test(text) || /\b(?:mutation|subscription)\b/.test(text))
      call.unknown('gh api graphql may change something', o.arg);
  }
  if (!hasQuery) call.unknown('the query of gh api graphql is unknown');
  onlyAsks(call);
}

/** Services with their read-only operations. Many services have the first two. */
const AWS_ASKS: [service: RegExp, verb: RegExp][] = [
  [/^[a-z0-9-]+$/, /^(?:describe|list)-[a-z0-9-]+$/],
  [/^[a-z0-9-]+$/, /^help$/],
  // Operations that return credentials, or create a missing identity, are excluded.
  [
    /^(?!cognito-identity$|codecommit$|lex)[a-z0-9-]+$/,
    /^(?:get|batch-get|lookup|head|search)-(?!.*(?:password(?!-policy)|token|secret|login(?!-profile)|credential(?!-report)|private-key|api-key|session-url))[a-z0-9-]+$/,
  ],
  [/^[a-z0-9-]+$/, /^wait$/],
  [/^cloudformation$/, /^validate-template$/],
  [/^iam$/, /^simulate-(?:principal|custom)-policy$/],
  [/^s3$/, /^ls$/],
  [/^s3api$/, /^(?:head|get-bucket)-[a-z-]+$/],
  [/^sts$/, /^get-caller-identity$/],
  [/^logs$/, /^(?:tail|filter-log-events|get-log-events)$/],
  [/^dynamodb$/, /^(?:scan|query|batch-get-item)$/],
  [/^configure$/, /^(?:list|get|list-profiles)$/],
];

/** These write to a file that is named by their last word (botocore 1.43: outputs with a blob payload). */
const AWS_TO_FILE =
  /^(?:apigateway get-(?:export|sdk)|appconfig get-(?:hosted-)?configuration(?:-version)?|appconfigdata get-latest-configuration|appsync get-introspection-schema|cloudfront get-(?:connection-)?function|codeartifact get-package-version-asset|codeguruprofiler get-profile|datazone get-lineage-event|ebs get-snapshot-block|geo-maps get-.*|glacier get-job-output|iot-data get-.*|iotwireless get-.*position.*|kinesis-video-(?:archived-)?media get-.*|lakeformation get-work-unit-results|location get-map-.*|medialive describe-input-device-thumbnail|mediastore-data get-object|medical-imaging get-image-.*|omics get-(?:read-set|reference)|s3api get-object(?:-torrent)?|sagemaker-geospatial get-tile|schemas get-code-binding-source|tnb get-sol-.*|workmailmessageflow get-.*)$/;

/** The value of an option comes from a file, or one of several values in it does. */
const FILE_VALUE = /^(?:--[^=]+=)?(?:[^@]*@=)?fileb?:\/\//s;

/** Options that change the host, read or write a file, or build a request from one. Abbreviations match too. */
const AWS_OWN = ['endpoint-url', 'ca-bundle', 'cli-input-json', 'cli-input-yaml', 'cli-auto-prompt', 'no-verify-ssl', 'save-as'];

/**
 * In a read-only operation without an output file, every other option is a parameter of the request. An operation that is newer
 * than this list may take an output file as its last word, unless it is a describe or a list operation. So each word must be part
 * of the command or follow an option.
 */
function isQuery(call: CommandCall, { operands, problem }: Given, service: string, verb: string): boolean {
  if (
    !/^(?:(?:describe|list|get|batch-get|lookup|head|search|validate|simulate)-|wait$)/.test(verb) ||
    AWS_TO_FILE.test(`${service} ${verb}`)
  )
    return false;
  if (problem && problem.arg.pos < operands[1]!.pos) return false;
  const isOpen = call.rest.some(
    ({ literal }, at) =>
      at > 0 && !literal?.startsWith('-') && isSecondValue(call.rest, at, operands.slice(0, verb === 'wait' ? 3 : 2)),
  );
  if (!/^(?:describe|list)-/.test(verb) && isOpen) return false;
  return call.rest.every(({ literal }) => {
    if (literal === null || !literal.startsWith('-')) return literal !== null;
    const name = /^--([a-z][a-z0-9-]*)(?:=|$)/.exec(literal)?.[1];
    return name !== undefined && !AWS_OWN.some((own) => own.startsWith(name));
  });
}

/** True for a word that is not part of the command and does not follow an option. */
function isSecondValue(words: readonly Arg[], at: number, operands: readonly Arg[]): boolean {
  return !operands.includes(words[at]!) && !words[at - 1]!.lead.startsWith('--');
}

function aws(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  if (has(given, 'version')) return;
  call.network();
  if (given.flaggy) return call.unknown('the arguments of aws are unknown', given.flaggy);
  call.subcommand(given);
  const [service, verb] = given.operands.map((o) => o.literal);
  if (service === 'help') return;
  if (service === 's3' && /^(?:cp|mv|sync)$/.test(verb ?? '')) sentFiles(call, given.operands.slice(2));
  if (service == null || verb == null) return call.unknown('the aws command is unknown');
  const isReadRequest = isQuery(call, given, service, verb);
  if (given.problem && !isReadRequest) return call.unknown(`aws ${given.problem.text}`, given.problem.arg);
  if (AWS_TO_FILE.test(`${service} ${verb}`)) call.unknown(`aws ${service} ${verb} writes a file`);
  if (!AWS_ASKS.some(([services, verbs]) => services.test(service) && verbs.test(verb)))
    call.unknown(`aws ${service} ${verb} is not in the list of commands that only read`);
  for (const word of call.rest) {
    if (!FILE_VALUE.test(word.value ?? word.lead)) continue;
    call.unknown(`aws ${service} ${verb} sends the content of a file`, word);
    sentFile(call, word, FILE_VALUE);
  }
  for (const o of given.operands) if (o.literal === null) call.carries('the request of aws is unknown and', o);
  if (service !== 's3' && service !== 'logs' && service !== 'configure' && !isReadRequest && given.operands.length > 2)
    call.unknown('an operand of aws may be a file to be written', given.operands[2]);
  onlyAsks(call);
}

/** The location of the state and its login, which may run a program. */
const TERRAFORM_LOADS = '.terraform/terraform.tfstate';

const AWS_VALUES =
  'profile region output query max-items page-size starting-token filters filter instance-ids group-ids vpc-ids subnet-ids image-ids owners names name names-only function-name table-name key log-group-name log-group-name-prefix log-stream-name log-stream-names filter-pattern start-time end-time since follow format bucket prefix delimiter max-keys cluster clusters services service tasks task-definition task-arn family-prefix repository-name repository-names image-ids stack-name stack-names role-name user-name policy-arn policy-name version-id group-name db-instance-identifier db-cluster-identifier load-balancer-arns load-balancer-names target-group-arn target-group-arns listener-arns hosted-zone-id queue-url topic-arn key-id secret-id pipeline-name namespace metric-name dimensions statistics period identifiers resource-arn key-condition-expression expression-attribute-values expression-attribute-names projection-expression filter-expression index-name request-items path desired-status launch-type limit sort order color cli-read-timeout cli-connect-timeout';

export const cloud: CommandEntry[] = [
  {
    names: 'docker podman nerdctl',
    help: 'run exec ps build pull push images login logout search version info attach commit cp create diff events export history import inspect kill load logs pause port rename restart rm rmi save start stats stop tag top unpause update wait container. image. network. volume. context. system. builder. buildx. compose. manifest. plugin. swarm. service. stack. node. secret. config. trust.',
    version: '--version -v --help',
    options: '--context: --log-level:',
    verbs: {
      'ps|container ls|container ps|container list': looks(DOCKER_PS),
      'images|image ls|image list': looks(DOCKER_IMAGES),
      'inspect|container inspect|image inspect|network inspect|volume inspect|context inspect': looks(DOCKER_INSPECT),
      'logs|container logs': looks(DOCKER_LOGS),
      wait: looks(''),
      'version|info|system info|context show|machine list|machine ls|machine info|machine inspect|image tree|image exists|container exists|volume exists|trust inspect|secret list|builder du':
        looks('-f: --format:'),
      'top|container top': looks(''),
      'port|container port|diff|container diff': looks(''),
      'stats|container stats': looks('-a --all --no-stream --no-trunc --format:'),
      'history|image history': looks('-H -q --human --no-trunc --quiet --format:'),
      'network ls|volume ls|context ls|plugin ls|network list|volume list|buildx ls': looks(
        '-q -f: --quiet --filter: --format: --no-trunc',
      ),
      'service ls|service ps|node ls|node ps|stack ls|stack ps|stack services|secret ls|config ls': looks(
        '-q -f: --quiet --filter: --format: --no-trunc --no-resolve',
      ),
      'service inspect|node inspect|secret inspect|config inspect|plugin inspect': looks(`${DOCKER_INSPECT} --pretty`),
      'service logs': looks(DOCKER_LOGS),
      'events|system events': looks('-f: --filter: --format: --since: --until:'),
      'buildx version': looks(''),
      'manifest inspect': asks('-v --verbose', { handle: images }),
      help: looks(''),
      'system df': looks('-v --verbose --format:'),
      compose: { options: COMPOSE, handle: compose },
      'pod ls|pod ps|pod list|pod inspect': looks('-q -f: --quiet --filter: --format: --no-trunc'),
      'buildx inspect|buildx du': looks('--verbose --filter:'),
      'buildx imagetools inspect': asks('--format: --raw', { handle: images }),
      search: asks('--limit: --filter: -f: --no-trunc --format:', { handle: images }),
      'pull|push|image pull|image push': asks('-aq --all-tags --quiet --platform: --disable-content-trust?', {
        class: 'unknown',
        handle: images,
      }),
      'login|logout': asks('-u: -p: --username: --password: --password-stdin', { class: 'unknown', handle: images }),
      'exec|container exec': {
        options:
          '-itdT --interactive --tty --detach --privileged --no-TTY -e: --env: -u: --user: -w: --workdir: --env-file: --detach-keys: --index:',
        handle: executingInside,
      },
      'cp|container cp': { options: '-aqL --archive --quiet --follow-link', handle: sends },
      'run|start|restart|build|buildx build|container run|image build': 'unknown',
    },
    examples: {
      'docker run --help': 'read-only',
      'docker compose up --help': 'read-only',
      'docker compose run web --help': 'unknown',
      'docker exec web --help': 'unknown',
      'docker compose $x --help': 'unknown',
      'docker compose -x --help': 'unknown',
      'docker images': 'read-only',
      'docker inspect web': 'read-only',
      'docker -H tcp://x ps': 'unknown',
      'docker --context prod ps': 'read-only',
      'docker compose -f a.yml -p x ps -a': 'read-only',
      'docker compose -f a.yml config --services': 'read-only',
      'docker compose -f a.yml config -o b.yml': 'writes',
      'docker compose -f a.yml down': 'unknown',
      'docker compose -f https://a.invalid/b.git ps': 'unknown',
      'docker compose -f - ps': 'unknown',
      'docker compose ps -f github.com/a/b': 'unknown',
      'docker compose -f a.yml exec web ls': 'unknown',
      'docker compose down': 'unknown',
      'docker compose --no-such x ps': 'unknown',
      'docker compose $x ps': 'unknown',
      'docker compose': 'read-only',
      'docker buildx inspect --bootstrap': 'unknown',
      'docker run alpine ls': 'unknown',
      'docker exec -it web ls': 'unknown',
      'docker rm x': 'unknown',
      'docker cp web:/a b': 'unknown',
      'docker service rm x': 'unknown',
      'docker manifest inspect --insecure x': 'unknown',
    },
  },
  {
    names: 'docker-compose',
    version: '--version version -v --help',
    options: COMPOSE,
    handle: compose,
    examples: {
      'docker-compose -f a.yml config': 'read-only',
      'docker-compose logs -f': 'read-only',
      'docker-compose up -d': 'unknown',
      'docker-compose exec web ls': 'unknown',
    },
  },
  {
    names: 'gh',
    help: 'pr. issue. repo. run. workflow. release. gist. label. cache. secret. variable. project. ruleset. search. auth. config. org. codespace. ssh-key. gpg-key. attestation. alias extension api browse status',
    options: '--version --help -R: --repo:',
    verbs: {
      'run list': asks(`${GH_LIST} -w:`, { handle: ghAsks }),
      'pr list|issue list|repo list|workflow list|release list|gist list|label list|cache list|secret list|variable list|ruleset list|ssh-key list|gpg-key list|org list|codespace list|search prs|search issues|search repos|search commits|search code|repo deploy-key list|repo autolink list|repo license list|repo gitignore list|gpg-key list|extension search':
        asks(GH_LIST, { handle: ghAsks }),
      'project list|project view|project item-list|project field-list': asks(
        '--owner: --format: --closed -q: --jq: -t: --template: -L: --limit:',
        { handle: ghAsks },
      ),
      'attestation trusted-root': asks('--hostname: --verify-only'),
      'issue develop --list|issue develop -l': asks('-R: --repo:'),
      'attestation verify': asks(
        '-o: --owner: -R: --repo: -b:r --bundle:r --format: -q: --jq: --predicate-type: --signer-workflow: --signer-repo: --cert-identity: --deny-self-hosted-runners',
        { operands: 'read' },
      ),
      'pr view|pr diff|pr checks|issue view|repo view|run view|run watch|workflow view|release view|gist view|ruleset view|ruleset check|variable get|repo license view|repo gitignore view|repo autolink view|codespace view':
        asks(GH_VIEW, { handle: ghAsks }),
      'pr status|issue status|status': asks(
        '-R: -c -q: -t: -o: -e: --conflict-status --json: --jq: --template: --repo: --org: --exclude:',
        { handle: ghAsks },
      ),
      browse: asks('-n --no-browser -b: -c -s -R: --branch: --commit? --settings --repo: --projects --releases --wiki', {
        handle: ghBrowse,
      }),
      'auth status': asks('-h:h -t -a --hostname:h --show-token --active'),
      api: {
        options:
          '-X: -H: -f: -F: -q: -t: -p: -i --method: --header: --field: --raw-field: --input: --jq: --template: --paginate --slurp --include --silent --cache: --hostname:h --preview: --verbose',
        handle: ghApi,
      },
      'version|help|config get|config list|alias list|extension list': looks('-h: --host:'),
    },
    examples: {
      'gh attestation trusted-root': 'read-only',
      'gh attestation trusted-root --tuf-root f': 'unknown',
      'gh issue develop --list 1': 'read-only',
      'gh issue develop -l 1 --checkout': 'unknown',
      'gh issue develop 1': 'unknown',
      'gh pr create --help': 'read-only',
      'gh api --help': 'read-only',
      'gh extension exec --help': 'unknown',
      'gh pr create --help --web': 'unknown',
      'gh pr list': 'read-only',
      'gh pr view 12 --json title,body': 'read-only',
      'gh pr view 12 --web': 'unknown',
      'gh pr merge 1': 'unknown',
      'gh api repos/a/b': 'read-only',
      'gh api -X POST x': 'unknown',
      'gh api x -f a=b': 'unknown',
      'gh api -X GET x -F a=b': 'read-only',
      'gh api -X GET x -F a=@f': 'unknown',
      'gh api -X GET x --input f': 'unknown',
      'gh api repos/a/b/pulls?state=open': 'read-only',
      "gh api graphql -f query='query{viewer{login}}'": 'read-only',
      "gh api graphql -F n=1 -f query='{viewer{login}}'": 'read-only',
      "gh api graphql -f query='mutation{a}'": 'unknown',
      "gh api graphql -f query='query{a} mutation{b}'": 'unknown',
      'gh api graphql -F query=@q': 'unknown',
      'gh api graphql --input q': 'unknown',
      'gh api graphql -f "query=$q"': 'unknown',
    },
  },
  {
    names: 'glab',
    help: 'mr. issue. ci. pipeline. repo. project. release. label. milestone. snippet. variable. schedule. job. incident. cluster. auth. config. alias. ssh-key. user. iteration. token. api version completion check-update',
    options: '--version --help -R: --repo:',
    verbs: {
      'mr list|mr ls|mr view|mr show|mr diff|mr issues|mr approvers|issue list|issue ls|issue view|issue show|ci list|ci ls|ci status|ci get|ci trace|pipeline list|pipeline ls|pipeline status|pipeline get|pipeline trace|repo view|repo list|repo contributors|repo search|project view|project list|release list|release view|label list|milestone list|milestone get|schedule list|incident list|incident view|ssh-key list|user events|iteration list|cluster agent list|snippet list':
        asks(
          '-P: -p: -s: -l: -g: -a: -r: -b: -o: --per-page: --page: --state: --label: --all -A --comments -c --output: -F: --group: --author: --assignee: --reviewer: --milestone: --search: --source-branch: --target-branch: --branch: --draft --merged --closed --opened -C -M --ref: --status: --sort: --order: --pipeline-id: --with-job-details --raw --color: --live --compact --mine --system-logs --unresolved --resolved --in:',
        ),
      'variable list|variable ls|variable get': asks('-g: -F: -p: -P: -s: --group: --output: --page: --per-page: --scope:'),
      'auth status': asks('-a --all --hostname:h --show-token -t'),
      'config get|alias list|version|help|completion': looks('-g --global -h: --host: -s: --shell:'),
      api: {
        options:
          '-X: -H: -f: -F: -i --method: --header: --field: --raw-field: --input: --include --paginate --hostname:h --silent --output: --jq: -q:',
        handle: ghApi,
      },
    },
    examples: {
      'glab mr list -R a/b': 'read-only',
      'glab mr create --help': 'read-only',
      'glab api projects/1/merge_requests': 'read-only',
      'glab api projects/1 -f a=b': 'unknown',
      'glab mr view 1 --web': 'unknown',
      'glab mr merge 1': 'unknown',
      'glab variable list': 'read-only',
      'glab variable set A b': 'unknown',
      'glab ci view': 'unknown',
      'glab api -X POST x': 'unknown',
    },
  },
  {
    names: 'terraform tofu',
    help: 'init plan apply destroy validate fmt show output import refresh console graph test taint untaint force-unlock get login logout state. workspace. providers.',
    version: '--version -version -v --help -help -h',
    style: ['single-dash'],
    options: '--chdir:c',
    verbs: {
      'version|metadata functions': looks('--json'),
      help: looks(''),
      'workspace show': looks('--no-color'),
      'output|state list|workspace list|state pull': asks('--json --raw --no-color --state:r --id: --type:', {
        loads: TERRAFORM_LOADS,
      }),
      providers: looks('--no-color', { operands: 'none', loads: TERRAFORM_LOADS }),
      fmt: { options: '--check! --diff! --recursive!', operands: 'text', handle: terraformFmt },
      'validate|plan|graph|show|state show|init|apply|destroy|refresh|import|console|test': 'runs',
    },
    examples: {
      'terraform plan -help': 'read-only',
      'terraform state rm --help': 'read-only',
      'terraform plan -help -out=f': 'runs',
      'terraform state list': 'read-only',
      'terraform -chdir=a state list': 'runs',
      'terraform -chdir=a fmt -check': 'read-only',
      'terraform -chdir=a plan': 'runs',
      'terraform -chdir=a/../../b output': 'runs',
      'terraform -chdir="$x" output': 'runs',
      'terraform providers': 'read-only',
      'terraform providers mirror d': 'unknown',
      'terraform fmt -check': 'read-only',
      'terraform fmt': 'writes',
      'terraform fmt -no-such a.tf': 'unknown',
      'terraform apply': 'runs',
    },
  },
  {
    names: 'aws',
    options: `--version --no-paginate --no-cli-pager --no-cli-auto-prompt --no-sign-request --recursive --human-readable --summarize --all --include-deprecated --dry-run --no-include-past-events --with-decryption --no-scan-index-forward --consistent-read --debug ${[...new Set(AWS_VALUES.split(' '))].map((x) => (x === 'follow' ? '--follow' : `--${x}:`)).join(' ')}`,
    handle: aws,
    examples: {
      'aws s3 ls s3://bucket/': 'read-only',
      'aws ec2 describe-instances --region eu-west-1': 'read-only',
      'aws help': 'read-only',
      'aws dynamodb query --table-name t --key-condition-expression x': 'read-only',
      'aws dynamodb put-item --table-name t': 'unknown',
      'aws s3api head-object --bucket b --key k': 'read-only',
      'aws s3 rm s3://a/b': 'unknown',
      'aws s3api get-object --bucket b --key k out': 'unknown',
      'aws s3 ls --endpoint-url http://x': 'unknown',
      'aws logs describe-metric-filters --metric-namespace a --filter-name-prefix b': 'read-only',
      'aws ssm list-commands --command-id x --filters key=Status,value=Success key=a,value=b': 'read-only',
      'aws ec2 describe-images --owners self amazon': 'read-only',
      'aws ssm list-commands --endpoint-url x': 'unknown',
      'aws ssm list-commands --endpoint=x': 'unknown',
      'aws gamelift get-game-session-log --save-as x': 'unknown',
      'aws ssm list-commands --command-id x --cli-input-json x': 'unknown',
      'aws ssm list-commands --command-id "$x"': 'unknown',
      'aws --command-id ssm list-commands x': 'unknown',
      'aws ssm cancel-command --command-id x': 'unknown',
      'aws ssm list-commands --command-id file://x': 'unknown',
      'aws ec2 describe-instances --filters Name=a,Values@=file://x': 'unknown',
      'aws medialive describe-input-device-thumbnail --input-device-id x --accept image/jpeg x': 'unknown',
    },
  },
  {
    // Its settings name a log file, and a program that determines how messages are drawn.
    names: 'ansible ansible-playbook',
    version: '--version',
    loads: 'ansible.cfg',
    handle: (call) => call.unknown(`${call.name} is not understood`),
    examples: { 'ansible --version': 'read-only', 'ansible-playbook version': 'unknown', 'ansible all -m ping': 'unknown' },
  },
];

function terraformFmt(call: CommandCall) {
  const words = call.rest.map((a) => a.literal);
  const known = words.every(
    (w) => w !== null && (/^--?(?:check|diff|recursive|list=\w+|write=false|no-color)$/.test(w) || !w.startsWith('-')),
  );
  if (!known) call.unknown('terraform fmt with unrecognized arguments');
  const files = call.rest.filter((a) => !a.lead.startsWith('-'));
  const looks = words.some((w) => /^--?(?:check|write=false)$/.test(w ?? ''));
  for (const o of files.length > 0 ? files : [call.args[0]!.as('.').at(call.at)]) {
    if (o.literal === '-') continue;
    if (looks) call.read(o, call.name, { extent: 'within' });
    else call.write(o, call.name, { extent: 'deep', old: 'kept', why: 'terraform fmt rewrites files' });
  }
}
