// Commands with the purpose of changing something outside of the project: a database, or what is published, deployed or running
// elsewhere. The words decide, so the tags are independent of what the program is known to write.
import type { CommandTag } from '../model/command.ts';
import { isInterpreter } from './interpreters.ts';
import { basename } from './targets.ts';

/** Programs that change databases, with their subcommands that do not: they list, or write files of the project. */
const databases: Readonly<Record<string, RegExp | null>> = {
  aerich: /^(?:init|history|heads|inspectdb)$/,
  alembic: /^(?:history|heads|current|show|branches|revision|init|check|merge)$/,
  arangosh: null,
  atlas: /^(?:inspect|diff|hash|lint|status|validate|new|fmt|version|login)$/,
  bq: /^(?:ls|show|head|version|help)$/,
  clickhouse: null,
  'clickhouse-client': null,
  clusterdb: null,
  cockroach: /^(?:version|gen|help)$/,
  cqlsh: null,
  createdb: null,
  createuser: null,
  'cypher-shell': null,
  'db-migrate': /^(?:create|check)$/,
  dbmate: /^(?:new|status|dump)$/,
  dbt: /^(?:compile|parse|ls|list|debug|deps|docs|clean|init|show|test)$/,
  diesel: /^(?:generate|list|pending|setup|completions|print-schema)$/,
  'doctrine-migrations': /^(?:generate|diff|list|status|current)$/,
  'dotnet-ef': /^(?:add|list|script|info|scaffold|has-pending-model-changes)$/,
  'drizzle-kit': /^(?:generate|check|introspect|pull|studio|up)$/,
  dropdb: null,
  dropuser: null,
  duckdb: null,
  ef: /^(?:add|list|script|info|scaffold|has-pending-model-changes)$/,
  etcdctl: /^(?:get|version|endpoint|help)$/,
  flyway: /^(?:info|validate)$/,
  'gh-ost': null,
  goose: /^(?:create|status|version|validate)$/,
  influx: null,
  isql: null,
  knex: /^(?:migrate:make|migrate:list|migrate:status|migrate:currentVersion|seed:make|init)$/,
  liquibase: /^(?:status|history|validate|diff|snapshot|generate-?changelog|diff-?changelog|update-?sql|rollback-?sql)$/i,
  litecli: null,
  mariadb: null,
  'mariadb-admin': null,
  'mariadb-import': null,
  migrate: /^(?:create|version)$/,
  'mikro-orm': /^(?:migration:create|migration:list|migration:check|migration:pending|generate-entities|debug)$/,
  'mikro-orm-esm': /^(?:migration:create|migration:list|migration:check|migration:pending|generate-entities|debug)$/,
  mongo: null,
  mongoimport: null,
  mongorestore: null,
  mongosh: null,
  mycli: null,
  mysql: null,
  mysqladmin: null,
  mysqlimport: null,
  'node-pg-migrate': /^(?:create)$/,
  pg_restore: null,
  pgbench: null,
  pgcli: null,
  pgloader: null,
  phinx: /^(?:create|status|list|init|breakpoint)$/,
  prisma: /^(?:generate|format|validate|version|init|studio|diff|status|pull)$/,
  psql: null,
  'pt-online-schema-change': null,
  'redis-cli': null,
  reindexdb: null,
  schemachange: /^(?:render|verify)$/,
  sequelize: /^(?:migration:generate|migration:create|model:generate|seed:generate|init.*|db:migrate:status)$/,
  'sequelize-cli': /^(?:migration:generate|migration:create|model:generate|seed:generate|init.*|db:migrate:status)$/,
  skeema: /^(?:init|add-environment|pull|diff|format|lint|version|help)$/,
  sqitch: /^(?:add|init|plan|status|log|rework|tag|verify|show|help)$/,
  sqlcmd: null,
  sqlite3: null,
  sqlplus: null,
  sqlx: /^(?:add|info|prepare|build-script)$/,
  tern: /^(?:init|new|status|gengen|print-connstring|version)$/,
  typeorm: /^(?:migration:create|migration:generate|migration:show|entity:create|subscriber:create|init|schema:log)$/,
  'typeorm-ts-node-commonjs': /^(?:migration:create|migration:generate|migration:show|entity:create|schema:log)$/,
  'typeorm-ts-node-esm': /^(?:migration:create|migration:generate|migration:show|entity:create|schema:log)$/,
  usql: null,
  vacuumdb: null,
  'valkey-cli': null,
  yoyo: /^(?:new|list|showmigrations|init)$/,
};

/** Subcommands of deployment tools that only look at files of the project. */
const looking: Readonly<Record<string, RegExp>> = {
  terraform: /^(?:validate|fmt|version|providers|graph|get|show)$/,
  tofu: /^(?:validate|fmt|version|providers|graph|get|show)$/,
  terragrunt: /^(?:validate|hclfmt|version)$/,
  helm: /^(?:lint|template|version|show)$/,
  kustomize: /^(?:build|version)$/,
  cdk: /^(?:synth|ls|list|diff|doctor)$/,
  lerna: /^(?:run|exec|list|ls|changed|diff|graph)$/,
  changeset: /^(?:status|add)$/,
  sam: /^(?:validate|build)$/,
};

/** Programs that publish, deploy, or change containers, clusters, clouds and other machines. */
const deployers: ReadonlySet<string> = new Set(
  `kamal deployctl dep eas eas-cli gh-pages appcenter surge railpack terraform terragrunt tofu pulumi ansible ansible-playbook packer vagrant cdk cdktf sam serverless sls wrangler vercel netlify
   firebase heroku fly flyctl railway render amplify eb gcloud aws az doctl oci supabase
   docker docker-compose podman buildah skopeo kubectl helm kustomize skaffold tilt argocd nomad
   twine gem cap fastlane semantic-release release-it np changeset lerna goreleaser jreleaser ssh scp rsync ftp
   azcopy caprover cf chalice civo convex ctr dokku eksctl flux gsutil hasura hcloud ibmcloud kops kubeadm lftp linode-cli mina mosh neon
   neonctl nerdctl oc pscale pscp plink rclone s3cmd s5cmd scw sftp sst turso vultr-cli zappa`.split(/\s+/),
);

/** Words of a script or subcommand: `npm run db:migrate`, `rake db:rollback`, `manage.py migrate`, `make seed`. */
const databaseWord =
  /(?:^|[^a-z])(?:(?:flyway|liquibase)\w*|migrat(?:e|es|ion|ions)|rollback|db|database|seed|seeds|schema:(?:load|update|drop|create)|flush|loaddata|ecto\.(?:migrate|rollback|reset|drop|setup|create|load))(?:$|[^a-z])/i;
/** Scripts and subcommands with such a word that write only files of the project: `npm run db:generate`, `rails g migration`. */
const draftWord =
  /(?:^|[^a-z])(?:generate|g|make|new|diff|status|list|lint|format|types|docs)(?:$|[^a-z])|ecto\.migrations|db:version|migrations?[:_-]?create|create[:_-]?migrations?/i;
/** `npm run deploy`, `make publish`, `cargo login`. */
const deployWord =
  /(?:^|[^a-z])(?:publish(?:To\w+|\w*Publication\w*|Plugins?|Signed|\w*Bundle|\w*Apk)?|upload(?:Archives|\w*Bundle)|jib(?:Build|DockerBuild)?|closeAndRelease\w*|gh-deploy|unpublish|deploy(?:ment|s)?|undeploy|release|rollout|provision|destroy|push|promote|login|logout|upload|prod|production|staging)(?:$|[^a-z])/i;

/** A path that names a test only selects the test. */
const testPath = /(?:^|[/_.-])(?:tests?|specs?|__tests__)(?:[/_.-]|$)/i;

/** A command that starts another program names it among its first words: `uv run --frozen alembic`. */
const firstWords = 6;

/** The tags of a command that may run or change anything. A null is a word that is not known. */
export function remoteTags(argv: readonly (string | null)[]): CommandTag[] {
  const tags: CommandTag[] = [];
  const names = argv.slice(0, firstWords).map((word) => basename(word ?? ''));
  const words = wordsOf(argv, names[0] ?? '');
  const isDraft = words.slice(1).some((word) => draftWord.test(word));
  if (isDatabase(argv, names) || (!isDraft && words.some((word) => databaseWord.test(word)))) tags.push('database');
  if (isDeployer(argv, names) || words.some((word) => deployWord.test(word))) tags.push('deploy');
  return tags;
}

function isDeployer(argv: readonly (string | null)[], names: readonly string[]): boolean {
  const at = names.findIndex((name) => deployers.has(name));
  const own = argv.slice(at + 1).find((word) => word === null || !word.startsWith('-'));
  return at !== -1 && !(Object.hasOwn(looking, names[at]!) && looking[names[at]!]!.test(own ?? ''));
}

function isDatabase(argv: readonly (string | null)[], names: readonly string[]): boolean {
  const at = names.findIndex((name) => Object.hasOwn(databases, name));
  if (at === -1) return false;
  const harmless = databases[names[at]!];
  return harmless === null || !argv.slice(at + 1).some((word) => word !== null && harmless!.test(word));
}

/** `cargo build --release`, `dotnet build -c Release`, `vite build --mode production`: how to build, and not where to deploy. */
const buildOption = /^(?:--?(?:release|production|prod)|--(?:configuration|mode|profile|env|environment|release)=.*)$/i;
const takesBuildKind = /^(?:-c|--configuration|--mode|--profile|--flavor|-O)$/;

function isBuildOption(argv: readonly (string | null)[], at: number): boolean {
  // `dotnet publish` writes into a folder.
  if (at === 1 && argv[0] === 'dotnet' && argv[1] === 'publish') return true;
  // Django checks the settings for a deployment, and deploys nothing.
  if (argv[at] === '--deploy' && argv.slice(0, at).includes('check'))
    return argv.some((word) => basename(word ?? '') === 'manage.py');
  return buildOption.test(argv[at] ?? '') || (at > 0 && takesBuildKind.test(argv[at - 1] ?? ''));
}

/** The words that may name a script or subcommand. A path counts only as the file that runs. */
function wordsOf(argv: readonly (string | null)[], program: string): string[] {
  const operand = isInterpreter(program) ? argv.findIndex((word, at) => at > 0 && !word?.startsWith('-')) : -1;
  return argv.flatMap((word, at) => {
    if (word === null || testPath.test(word) || isBuildOption(argv, at)) return [];
    const isFile = /[/\\]/.test(word) || (/\.\w{1,5}$/.test(word) && !word.startsWith('ecto.'));
    return isFile && at !== 0 && at !== operand ? [] : [word];
  });
}
