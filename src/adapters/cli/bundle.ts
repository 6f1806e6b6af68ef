// modes bundle: the verbs of signed bundles. Each is in a separate file that is loaded when it is called.
import type { Command } from 'commander';
import { terminal } from './terminal.ts';

type RunVerb = (verb: () => Promise<number>) => () => Promise<void>;
type Shared = (command: Command) => Command;

/** Adds `bundle` and its verbs. */
export function addBundleVerbs(program: Command, shared: Shared, run: RunVerb): void {
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
      .option('--scope <scope>', 'the scope of the bundle')
      .option('--key-id <id>', 'name of the key');
  shared(bundle.command('build').description('write a mode as a bundle, with the files that configure it'))
    .option('--mode <name>', 'the mode that a stock OPA answers for (default: the default mode)')
    .option('-o, --output <file>', 'the file to write (default: MODE.tar.gz)')
    .option(
      '--revision <revision>',
      'an increasing number, or a word; with a word, only the time of the signature counts (default: derived from the content)',
    )
    .option('--rules-only', 'without modes.yaml: each project keeps its own modes')
    .addHelpText('after', BUILD_HELP)
    .action((options) => run(async () => (await import('./bundle-build.ts')).bundleBuild(options, terminal))());
  keyed(alone('sign', 'sign a bundle'), 'private key (PEM), or the secret of an HS algorithm')
    .argument('<file>', 'the bundle to sign; it is overwritten')
    .option('-o, --output <file>', 'write the signed bundle to this file instead')
    .option('--expires <time>', 'the time until which it may be activated: 30d, or a date and time (ISO 8601)')
    .addHelpText('after', SIGN_HELP)
    .action((file, options) => run(async () => (await import('./bundle-sign.ts')).bundleSign(file, options, terminal))());
  keyed(alone('verify', 'check that a key signed every file of a bundle'), 'public key (PEM), or the secret of an HS algorithm')
    .argument('<file>', 'the bundle')
    .addHelpText('after', VERIFY_HELP)
    .action((file, options) => run(async () => (await import('./bundle-sign.ts')).bundleVerify(file, options, terminal))());
  alone('push', 'send a signed bundle to a server, with PUT')
    .argument('<file>', 'the bundle')
    .argument('<url>', 'the address that clients download it from')
    .option('--token <file>', 'a file with the token for the server (Authorization: Bearer)')
    .option('--ca <file>', "certificates (PEM) of the server's authority")
    .addHelpText('after', PUSH_HELP)
    .action((file, url, options) =>
      run(async () => (await import('./bundle-sign.ts')).bundlePush(file, url, options, terminal))(),
    );
}

const OVERVIEW = `
  modes bundle build --mode feature-dev -o modes.tar.gz
  modes bundle sign modes.tar.gz --key private.pem --alg ES256 --expires 90d
  modes bundle verify modes.tar.gz --key public.pem --alg ES256
  modes bundle push modes.tar.gz https://policies.example.com/bundles/modes.tar.gz

The format is OPA's: opa verifies bundles that are signed here, and the other way round. See docs/teams.md.
Exit code: 0 success, 1 failure, 64 wrong usage.`;

const BUILD_HELP = `
A stock OPA evaluates it at data.modes.verdict, like a bundle of modes policy build. Its folder layer/ contains the files that configure
every mode, except personal files. A client uses them as a layer if its organization names the bundle.`;

const SIGN_HELP = `
  openssl genpkey -algorithm ed25519 -out private.pem
  openssl pkey -in private.pem -pubout -out public.pem
  modes bundle sign modes.tar.gz --key private.pem --alg EdDSA

An existing signature is replaced.`;

const VERIFY_HELP = `
Nothing in the bundle is trusted: you name the key, its algorithm and the scope.`;

const PUSH_HELP = `
The bundle must be signed. The server can be any that stores a file from a PUT request and serves it with an ETag.`;
