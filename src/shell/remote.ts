// Commands with the purpose of changing something outside of the project: a database, or what is published, deployed or running
// elsewhere. The words decide, so the tags are independent of what the program is known to write.
import type { CommandTag } from '../model/command.ts';
import { basename } from './targets.ts';

/** Programs that change databases, with their subcommands that do not: they list, or write files of the project. */
const databases: Readonly<Record<string, RegExp | null>> = {
  alembic: /^(?:history|heads|current|show|branches|revision|init|check|merge)$/,
  atlas: /^(?:inspect|diff|hash|lint|status|validate|new|fmt|version|login)$/,
  cqlsh: null,
  'clickhouse-client': null,
  createdb: null,
  createuser: null,
  'db-migrate': /^(?:create|check)$/,
  dbmate: /^(?:new|status|dump)$/,
  diesel: /^(?:generate|list|pending|setup|completions|print-schema)$/,
  'doctrine-migrations': /^(?:generate|diff|list|status|current)$/,
  'dotnet-ef': /^(?:add|list|script|info|scaffold|has-pending-model-changes)$/,
  'drizzle-kit': /^(?:generate|check|introspect|pull|studio|up)$/,
  dropdb: null,
  dropuser: null,
  ef: /^(?:add|list|script|info|scaffold|has-pending-model-changes)$/,
  flyway: /^(?:info|validate)$/,
  goose: /^(?:create|status|version|validate)$/,
  knex: /^(?:migrate:make|migrate:list|migrate:status|migrate:currentVersion|seed:make|init)$/,
  liquibase: /^(?:status|history|validate|diff|snapshot|generate-?changelog|diff-?changelog|update-?sql|rollback-?sql)$/i,
  mariadb: null,
  migrate: /^(?:create|version)$/,
  'mikro-orm': /^(?:migration:create|migration:list|migration:check|migration:pending|generate-entities|debug)$/,
  'mikro-orm-esm': /^(?:migration:create|migration:list|migration:check|migration:pending|generate-entities|debug)$/,
  mongorestore: null,
  mongosh: null,
  mysql: null,
  mysqladmin: null,
  'node-pg-migrate': /^(?:create)$/,
  pg_restore: null,
  phinx: /^(?:create|status|list|init|breakpoint)$/,
  prisma: /^(?:generate|format|validate|version|init|studio|diff|status|pull)$/,
  psql: null,
  'redis-cli': null,
  sequelize: /^(?:migration:generate|migration:create|model:generate|seed:generate|init.*|db:migrate:status)$/,
  'sequelize-cli': /^(?:migration:generate|migration:create|model:generate|seed:generate|init.*|db:migrate:status)$/,
  sqlcmd: null,
  sqlite3: null,
  sqlx: /^(?:add|info|prepare|build-script)$/,
  typeorm: /^(?:migration:create|migration:generate|migration:show|entity:create|subscriber:create|init|schema:log)$/,
  'typeorm-ts-node-commonjs': /^(?:migration:create|migration:generate|migration:show|entity:create|schema:log)$/,
  'typeorm-ts-node-esm': /^(?:migration:create|migration:generate|migration:show|entity:create|schema:log)$/,
};

/** Programs that publish, deploy, or change containers, clusters, clouds and other machines. */
const deployers: ReadonlySet<string> = new Set(
  `terraform terragrunt tofu pulumi ansible ansible-playbook packer vagrant cdk cdktf sam serverless sls wrangler vercel netlify
   firebase heroku fly flyctl railway render amplify eb gcloud aws az doctl oci supabase
   docker docker-compose podman buildah skopeo kubectl helm kustomize skaffold tilt argocd nomad
   twine gem cap fastlane semantic-release release-it np changeset lerna goreleaser jreleaser ssh scp rsync ftp`.split(/\s+/),
);

/** Words of a script or subcommand: `npm run db:migrate`, `rake db:rollback`, `manage.py migrate`, `make seed`. */
const databaseWord =
  /(?:^|[^a-z])(?:migrat(?:e|es|ion|ions)|rollback|db|database|seed|seeds|schema:load|flush|loaddata|ecto\.(?:migrate|rollback|reset|drop|setup))(?:$|[^a-z])/i;
/** Scripts and subcommands with such a word that write only files of the project: `npm run db:generate`, `rails g migration`. */
const draftWord =
  /(?:^|[^a-z])(?:generate|g|make|new|diff|status|list|lint|format|types|docs)(?:$|[^a-z])|migrations?[:_-]?create|create[:_-]?migrations?/i;
/** `npm run deploy`, `make publish`, `cargo login`. */
const deployWord =
  /(?:^|[^a-z])(?:publish|unpublish|deploy(?:ment|s)?|undeploy|release|rollout|provision|destroy|push|promote|login|logout|upload|prod|production|staging)(?:$|[^a-z])/i;

/** A path that names a test only selects the test. */
const testPath = /(?:^|[/_.-])(?:tests?|specs?|__tests__)(?:[/_.-]|$)/i;
/** Programs that run the file that their first operand names. */
const interpreters = /^(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|pypy3?|ruby|perl|php|bash|sh|zsh|dash|ksh|fish|pwsh)$/;

/** A command that starts another program names it among its first words: `uv run --frozen alembic`. */
const firstWords = 6;

/** The tags of a command that may run or change anything. A null is a word that is not known. */
export function remoteTags(argv: readonly (string | null)[]): CommandTag[] {
  const tags: CommandTag[] = [];
  const names = argv.slice(0, firstWords).map((word) => basename(word ?? ''));
  const words = wordsOf(argv, names[0] ?? '');
  const isDraft = words.slice(1).some((word) => draftWord.test(word));
  if (isDatabase(argv, names) || (!isDraft && words.some((word) => databaseWord.test(word)))) tags.push('database');
  if (names.some((name) => deployers.has(name)) || words.some((word) => deployWord.test(word))) tags.push('deploy');
  return tags;
}

function isDatabase(argv: readonly (string | null)[], names: readonly string[]): boolean {
  const at = names.findIndex((name) => Object.hasOwn(databases, name));
  if (at === -1) return false;
  const harmless = databases[names[at]!];
  return harmless === null || !argv.slice(at + 1).some((word) => word !== null && harmless!.test(word));
}

/** The words that may name a script or subcommand. A path counts only as the file that runs. */
function wordsOf(argv: readonly (string | null)[], program: string): string[] {
  const operand = interpreters.test(program) ? argv.findIndex((word, at) => at > 0 && !word?.startsWith('-')) : -1;
  return argv.flatMap((word, at) => {
    if (word === null || testPath.test(word)) return [];
    const isFile = /[/\\]/.test(word) || /\.\w{1,5}$/.test(word);
    return isFile && at !== 0 && at !== operand ? [] : [word];
  });
}
