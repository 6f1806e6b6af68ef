// modes bundle: the verbs of signed bundles. Each is in a separate file that is loaded when it is called.
import type { Command } from 'commander';
import { terminal } from './terminal.ts';

type Run = (verb: () => Promise<number>) => () => Promise<void>;
type Shared = (command: Command) => Command;

/** Adds `bundle` and its verbs. */
export function addBundleVerbs(program: Command, shared: Shared, run: Run): void {
  const bundle = program
    .command('bundle')
    .description("build, sign, verify and publish a configuration as OPA's signed bundle")
    .addHelpText('after', OVERVIEW);
  const alone = (name: string, description: string) =>
    bundle.command(name).description(description).option('--json', 'print JSON');
  const keyed = (command: Command, key: string) =>
    command
      .requiredOption('--key <file>', key)
      .requiredOption('--alg <name>', 'algorithm of the key: EdDSA, ES256, RS256, HS256 or another of their families')
      .option('--scope <scope>', 'what the bundle is for')
      .option('--key-id <id>', 'name of the key');
  shared(bundle.command('build').description('write a mode as a bundle, with the files that configure it'))
    .option('--mode <name>', 'which mode a stock OPA answers for (default: the default mode)')
    .option('-o, --output <file>', 'where to (default: MODE.tar.gz)')
    .option(
      '--revision <revision>',
      'what this state is called: a number that grows, or a word, which only the time of the signature orders (default: made from the content)',
    )
    .option('--rules-only', 'without modes.yaml: each project keeps modes of its own')
    .addHelpText('after', BUILD_HELP)
    .action((options) => run(async () => (await import('./bundle-build.ts')).bundleBuild(options, terminal))());
  keyed(alone('sign', 'sign a bundle'), 'private key (PEM), or the secret of an HS algorithm')
    .argument('<file>', 'the bundle, which is overwritten')
    .option('-o, --output <file>', 'write it there instead')
    .option('--expires <time>', 'until when it may be activated: 30d, or a date and time (ISO 8601)')
    .addHelpText('after', SIGN_HELP)
    .action((file, options) => run(async () => (await import('./bundle-sign.ts')).bundleSign(file, options, terminal))());
  keyed(
    alone('verify', 'check that a key vouches for every file of a bundle'),
    'public key (PEM), or the secret of an HS algorithm',
  )
    .argument('<file>', 'the bundle')
    .addHelpText('after', VERIFY_HELP)
    .action((file, options) => run(async () => (await import('./bundle-sign.ts')).bundleVerify(file, options, terminal))());
  alone('push', 'send a signed bundle to a server, with PUT')
    .argument('<file>', 'the bundle')
    .argument('<url>', 'where clients will get it')
    .option('--token <file>', 'a file with the token that the server wants (Authorization: Bearer)')
    .option('--ca <file>', 'certificates (PEM) of the authority that the server is of')
    .addHelpText('after', PUSH_HELP)
    .action((file, url, options) =>
      run(async () => (await import('./bundle-push.ts')).bundlePush(file, url, options, terminal))(),
    );
}

const OVERVIEW = `
  modes bundle build --mode feature-dev -o modes.tar.gz
  modes bundle sign modes.tar.gz --key private.pem --alg ES256 --expires 90d
  modes bundle verify modes.tar.gz --key public.pem --alg ES256
  modes bundle push modes.tar.gz https://policies.example.com/bundles/modes.tar.gz

The format is OPA's: opa verifies what is signed here, and what opa signs is verified here. docs/teams.md says more.
Exit code: 0 all well, 1 something is wrong, 64 wrong usage.`;

const BUILD_HELP = `
A stock OPA answers from it at data.modes.verdict, as from what modes policy build writes. Below layer/ it has the files that configure
every mode, but for what is one person's own: a client to which an organisation names the bundle takes them for a layer of its own.`;

const SIGN_HELP = `
  openssl genpkey -algorithm ed25519 -out private.pem
  openssl pkey -in private.pem -pubout -out public.pem
  modes bundle sign modes.tar.gz --key private.pem --alg EdDSA

A signature that was there is replaced.`;

const VERIFY_HELP = `
Nothing is taken from the bundle on trust: the key, its algorithm and the scope are those that you name.`;

const PUSH_HELP = `
The bundle must be signed. Any server will do that keeps what is PUT to it and gives it out again, with an ETag.`;
