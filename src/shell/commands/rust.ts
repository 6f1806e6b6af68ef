// Rust: rustup runs the toolchain that a file of the project selects, and cargo runs the compiler from its settings.
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { has, type OptionTable } from '../options.ts';
import { asks, installs, looks, RUNS } from './verbs.ts';

const TOOLCHAIN = 'rust-toolchain rust-toolchain.toml';

/** Without --no-deps it resolves versions, writes Cargo.lock, and stores the answer of rustc in target/. */
function cargoMetadata(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.roles(given);
  if (given.operands.length > 0) call.unknown('cargo metadata has unrecognized operands', given.operands[0]);
  if (!has(given, 'no-deps')) call.is('runs', 'cargo metadata without --no-deps may write Cargo.lock and below target');
}

/** Values that the compiler prints without compiling anything. */
const PRINTED_VALUE =
  /^(?:cfg|check-cfg|host-tuple|sysroot|target-cpus|target-features|target-libdir|target-list|relocation-models|code-models|tls-models|calling-conventions|split-debuginfo|crate-root-lint-levels|deployment-target)$/;

function rustc(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  for (const o of given.options)
    if (o.name === 'print' && !PRINTED_VALUE.test(o.value?.literal ?? ''))
      call.unknown('rustc --print may write a file or compile', o.arg);
  if (given.operands.length > 0) call.is('runs', 'rustc compiles code of the project, with macros that run', given.operands[0]);
  if (!has(given, 'V', 'version', 'print', 'explain')) call.is('runs', 'rustc reads the program from its standard input');
}

export const rust: CommandEntry[] = [
  {
    names: 'cargo',
    help: 'build b check c clean clippy doc d fix fmt package run r rustc rustdoc test t bench tree info metadata vendor publish report remove',
    options: '--version -V -q --quiet -v --verbose --color: --offline --locked --frozen --list',
    loads: `.cargo/config.toml .cargo/config ${TOOLCHAIN}`,
    verbs: {
      version: looks('', { operands: 'none' }),
      'locate-project|read-manifest|verify-project': looks('--manifest-path:r --message-format: --workspace', {
        operands: 'none',
      }),
      pkgid: looks('--manifest-path:r -p: --package:'),
      search: asks('--limit:'),
      metadata: {
        options:
          '--no-deps --format-version: --manifest-path:r -F: --features: --all-features --no-default-features --filter-platform:',
        handle: cargoMetadata,
      },
      'owner --list|owner -l': asks(''),
      'publish|login|logout|owner|yank': 'unknown',
      'install --list': looks('', { operands: 'none' }),
      'install|uninstall|add|remove|rm|update|fetch|vendor|new|init|generate-lockfile': installs,
      // If target/ exists, these store information about rustc there, even with --locked. Help may open the manual page of
      // another program.
      'help build|help check|help clean|help doc|help run|help test|help bench|help update|help search|help publish|help install|help uninstall|help add|help remove|help tree|help new|help init|help metadata|help fix|help vendor|help package|help fetch':
        looks('', { operands: 'none' }),
      'tree|info|help': RUNS,
      'build|b|check|c|clean|clippy|doc|d|fix|fmt|miri|nextest|package|run|r|rustc|rustdoc|test|t|bench|expand|audit|deny|outdated|watch|llvm-cov|tarpaulin|xtask|make|insta|machete|udeps|hack|leptos|tauri':
        RUNS,
    },
    examples: {
      'cargo --version': 'read-only',
      'cargo -V': 'read-only',
      'cargo --list': 'read-only',
      'cargo search serde --limit 3': 'read-only',
      'cargo owner --list serde': 'read-only',
      'cargo owner --list --add x serde': 'unknown',
      'cargo owner --add x': 'unknown',
      'cargo locate-project --workspace': 'read-only',
      'cargo read-manifest': 'read-only',
      'cargo pkgid': 'read-only',
      'cargo metadata --no-deps --format-version 1': 'read-only',
      'cargo metadata --locked': 'runs',
      'cargo tree --locked': 'runs',
      'cargo info serde': 'runs',
      'cargo +nightly --version': 'unknown',
      'cargo -C x locate-project': 'unknown',
    },
  },
  {
    names: 'rustc',
    options: '-Vv --version --verbose --print: --explain:',
    loads: TOOLCHAIN,
    handle: rustc,
    examples: {
      'rustc --version': 'read-only',
      'rustc -vV': 'read-only',
      'rustc --print sysroot': 'read-only',
      'rustc --explain E0308': 'read-only',
      'rustc --print cfg=x': 'unknown',
      'rustc --print native-static-libs a.rs': 'unknown',
      'rustc a.rs': 'runs',
      'rustc -V a.rs': 'runs',
    },
  },
  {
    names: 'rustup',
    class: 'unknown',
    version: '--version -V',
    loads: TOOLCHAIN,
    verbs: {
      default: { options: '', operands: 'none' },
      'show|show active-toolchain|show home|show profile': { options: '-v --verbose', operands: 'none' },
      'toolchain list|target list|component list|override list|which|check|help': {
        options: '--installed -v --verbose --toolchain: -q --quiet',
        operands: 'text',
      },
    },
    examples: {
      'rustup show': 'read-only',
      'rustup default': 'read-only',
      'rustup default stable': 'unknown',
      'rustup toolchain list': 'read-only',
      'rustup show x': 'unknown',
      'rustup update': 'unknown',
    },
  },
];
