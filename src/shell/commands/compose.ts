// `docker compose` in its read-only forms, and commands inside containers.
import type { CommandCall } from '../call.ts';
import { has, type OptionTable, table } from '../options.ts';

export const DOCKER_PS = '--pod -a -q -l -s -n: -f: --all --quiet --latest --size --no-trunc --last: --filter: --format:';
export const DOCKER_IMAGES = '-a -q -f: --all --quiet --digests --no-trunc --filter: --format: --tree';
export const DOCKER_INSPECT = '-s -f: --size --type: --format: --verbose -v';
export const DOCKER_LOGS = '-f -t -n: --follow --timestamps --tail: --since: --until: --details --no-color --no-log-prefix';

export const COMPOSE =
  '-f:r --file:r -p: --project-name: --profile: --env-file:r --project-directory:l --ansi: --progress: --all-resources --compatibility';

const COMPOSE_LOOKS: Record<string, OptionTable> = {};
for (const [words, options] of [
  [
    'ps ls images top version port stats volumes',
    '-a -q -f:r --file:r --all --quiet --services --filter: --format: --status: --orphans --no-trunc --protocol: --index: --short --no-stream',
  ],
  ['logs', `${DOCKER_LOGS} --index:`],
  [
    'config convert',
    '-q -o:w --output:w --quiet --services --volumes --images --profiles --environment --networks --models --variables --hash: --format: --no-interpolate --no-normalize --no-path-resolution --no-consistency --no-env-resolution --resolve-image-digests',
  ],
  ['events', '--json --since: --until:'],
] as const)
  for (const word of words.split(' ')) COMPOSE_LOOKS[word] = table(options);

/** With these options it prints only names. */
const COMPOSE_NAMES = ['q', 'quiet', 'services', 'volumes', 'images', 'profiles', 'networks', 'hash'];
/** Files that it prints completely if no others are named. */
const COMPOSE_FILES = ['compose', 'docker-compose'].flatMap((base) =>
  ['', '.override'].flatMap((middle) => ['yaml', 'yml'].map((ending) => `${base}${middle}.${ending}`)),
);

const INSIDE = table(
  '-itdT --interactive --tty --detach --privileged --no-TTY --rm --no-deps -e: --env: -u: --user: -w: --workdir: --index: --name: --entrypoint: -v: --volume:',
);

export function compose(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['posix']);
  call.accept({ ...given, flaggy: given.operands[0] === given.flaggy ? null : given.flaggy });
  call.roles(given);
  call.subcommand(given);
  const [sub] = given.operands;
  if (!sub) return;
  const name = sub.literal;
  call.args = given.operands;
  call.name = `${call.name} ${name ?? sub.text}`;
  if (name === 'exec' || name === 'run') return executingInside(call, INSIDE);
  if (name === null || !Object.hasOwn(COMPOSE_LOOKS, name)) return call.unknown(`${call.name} does more than read`, sub);
  const own = call.parse(COMPOSE_LOOKS[name]!);
  call.accept(own);
  call.roles(own);
  if ((name === 'config' || name === 'convert') && !has(own, ...COMPOSE_NAMES)) {
    const files = given.options.some((o) => o.spec.role === 'r' && o.name !== 'env-file') ? [] : COMPOSE_FILES;
    const env = given.options.some((o) => o.name === 'env-file') ? [] : ['.env'];
    for (const file of [...files, ...env]) call.read(call.args[0]!.as(file), call.name);
  }
  for (const o of [...given.options, ...own.options])
    if (o.spec.role === 'r' && /:|\.git\b|^github\.com\/|^-$/.test(o.value?.literal ?? ':'))
      call.unknown(`${call.name} may fetch the files that it names`, o.arg);
}

/** A command inside a container may or may not reach the files of this machine. Deny and ask rules match its name. */
export function executingInside(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['posix']);
  call.starts(given.operands.slice(1));
  if (given.problem) call.starts(given.operands.slice(2));
  call.unknown(`${call.name} does more than read`);
}
