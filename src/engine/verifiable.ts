// Whether a call may run first and be verified afterwards: its only problem is a program that may write what the mode guards.
// What such a program does elsewhere cannot be seen afterwards, so a call that does more than that still asks.

import path from 'node:path';
import type { Decision } from '../model/decision.ts';
import type { CommandFacts, Facts } from '../model/facts.ts';
import type { Verdict } from '../model/verdict.ts';

/** Programs that change something outside the project: databases, clouds, containers, package registries, other machines. */
const remotePrograms: ReadonlySet<string> = new Set(
  `alembic flyway liquibase dbmate goose sqlx diesel atlas migrate knex sequelize sequelize-cli typeorm prisma drizzle-kit mikro-orm
   node-pg-migrate db-migrate phinx ef dotnet-ef mysql psql mongosh redis-cli
   terraform terragrunt tofu pulumi ansible ansible-playbook packer vagrant cdk cdktf sam serverless sls wrangler vercel netlify
   firebase heroku fly flyctl railway render amplify eb gcloud aws az doctl oci supabase
   docker docker-compose podman buildah skopeo kubectl helm kustomize skaffold tilt argocd nomad
   twine gem cap fastlane semantic-release release-it np changeset lerna goreleaser jreleaser ssh scp rsync ftp`.split(/\s+/),
);

/** Words of a command or script that name a change outside the project: `npm run deploy`, `rake db:migrate`, `make publish`. */
const remoteWord =
  /(?:^|[^a-z])(?:publish|unpublish|deploy(?:ment|s)?|undeploy|release|migrat(?:e|es|ion|ions)|rollback|rollout|provision|destroy|db|database|seed|push|promote|login|logout|upload|prod|production|staging)(?:$|[^a-z])/i;

/** A path that names a test only says which test runs. */
const testPath = /(?:^|[/_.-])(?:tests?|specs?|__tests__)(?:[/_.-]|$)/i;

/**
 * The decision if the guarded files are compared after the run; null if the call must not run on that condition.
 * @param evaluate the policy, to see what remains without the uncertainty
 */
export function verifiableAs(facts: Facts, evaluate: (facts: Facts) => Verdict): Decision['verifiable'] | null {
  const { bash, may_write_anywhere: parts } = facts;
  if (bash === null || parts === null || facts.tool.extra.length > 0 || facts.domains.length > 0) return null;
  if (parts.some((part) => part.kind !== 'command' || part.class !== 'runs' || part.anything)) return null;
  if (bash.commands.some((command) => isRemote(command) || command.network)) return null;
  if (facts.writes.some(({ root, own }) => own === null && (root === 'outside' || root === 'worktree'))) return null;
  const { verdict } = evaluate({ ...facts, may_write_anywhere: null });
  if (verdict !== 'allow' && verdict !== 'pass') return null;
  const programs = new Set(parts.map(({ command }) => command));
  const isOnlyPrograms = bash.commands.every((command, at) => programs.has(at) || command.class === 'read-only');
  const isInside = facts.reads.every(({ root, own }) => own !== null || root !== 'outside');
  return verdict === 'allow' || (isOnlyPrograms && isInside) ? 'allow' : 'pass';
}

/** A word that is not known until the run could be any of them. */
function isRemote({ argv }: CommandFacts): boolean {
  return argv.some((word) => {
    if (word === null) return true;
    return remotePrograms.has(path.posix.basename(word)) || (remoteWord.test(word) && !testPath.test(word));
  });
}
