// The known commands, one entry for each, collected from the families.
import type { BashClass } from '../model/command.ts';
import type { Arg } from './arg.ts';
import type { CommandCall } from './call.ts';
import { archive } from './commands/archive.ts';
import { binutils } from './commands/binutils.ts';
import { builtins } from './commands/builtins.ts';
import { cloud } from './commands/cloud.ts';
import { clouds } from './commands/clouds.ts';
import { databases } from './commands/databases.ts';
import { files } from './commands/files.ts';
import { git } from './commands/git/index.ts';
import { javascript } from './commands/javascript.ts';
import { keys } from './commands/keys.ts';
import { kubernetes } from './commands/kubernetes.ts';
import { macos } from './commands/macos.ts';
import { media } from './commands/media.ts';
import { network } from './commands/network.ts';
import { osPackages } from './commands/os-packages.ts';
import { packages } from './commands/packages.ts';
import { patches } from './commands/patches.ts';
import { runners } from './commands/runners.ts';
import { rust } from './commands/rust.ts';
import { search } from './commands/search.ts';
import { services } from './commands/services.ts';
import { starters } from './commands/starters.ts';
import { structured } from './commands/structured.ts';
import { system } from './commands/system.ts';
import { text } from './commands/text.ts';
import { tools } from './commands/tools.ts';
import { vcs } from './commands/vcs.ts';
import { executes, RUNS } from './commands/verbs.ts';
import { viewers } from './commands/viewers.ts';
import { wrappers } from './commands/wrappers.ts';
import type { CommandEntry, Verb } from './entry.ts';
import { LOOK } from './loads.ts';
import { type Given, type OptionTable, type ParseStyle, table } from './options.ts';

export interface Command {
  entry: CommandEntry;
  wrapper: boolean;
  classify(call: CommandCall): void;
}

const FAMILIES: CommandEntry[][] = [
  builtins,
  wrappers,
  starters,
  text,
  search,
  structured,
  files,
  git,
  archive,
  network,
  keys,
  databases,
  javascript,
  packages,
  osPackages,
  rust,
  cloud,
  clouds,
  kubernetes,
  services,
  vcs,
  runners,
  patches,
  system,
  macos,
  media,
  viewers,
  tools,
  binutils,
];

const COMMANDS = new Map<string, Command>();

for (const family of FAMILIES) {
  for (const entry of family) {
    const command = compile(entry);
    for (const name of entry.names.split(' ')) {
      if (COMMANDS.has(name)) throw new Error(`command ${name} stands twice`);
      COMMANDS.set(name, command);
    }
  }
}

export function lookup(name: string): Command | undefined {
  return COMMANDS.get(name);
}

/** All entries, for tests and documentation. */
export function allEntries(): CommandEntry[] {
  return FAMILIES.flat();
}

function say(call: CommandCall, cls: BashClass | undefined, why: string | undefined): void {
  if (!cls || cls === 'read-only') return;
  call.is(
    cls,
    why ??
      (cls === 'runs'
        ? `${call.name} runs code of the project`
        : cls === 'unknown'
          ? `${call.name} does more than read`
          : `${call.name} changes something`),
  );
}

function applyOperands(call: CommandCall, entry: Exclude<Verb, string>, operands: Arg[]): void {
  if (entry.most !== undefined && operands.length > entry.most)
    call.unknown(`${call.name} with ${operands.length} operands is not understood`, operands[entry.most]);
  if (entry.most !== undefined && operands.some((o) => o.several))
    call.unknown(
      `the number of operands of ${call.name} is unknown`,
      operands.find((o) => o.several),
    );
  for (const o of operands) {
    switch (entry.operands ?? 'none') {
      case 'read':
        if (o.literal !== '-') call.read(o, call.name);
        break;
      case 'read-within':
        if (o.literal !== '-') call.read(o, call.name, { extent: 'within' });
        break;
      case 'read-deep':
        if (o.literal !== '-') call.read(o, call.name, { extent: 'deep' });
        break;
      case 'list':
        call.read(o, call.name, { what: 'names' });
        break;
      case 'write':
        call.write(o, call.name, { what: 'entry' });
        break;
      case 'write-deep':
        call.write(o, call.name, { extent: 'deep', what: 'entry' });
        break;
      case 'url':
        call.url(o);
        break;
      case 'none':
        call.unknown(`${call.name} has unrecognized operands`, o);
        return;
    }
  }
  if (entry.here && operands.length === 0)
    call.readHere(call.name, entry.here === 'list' ? { what: 'names' } : { extent: 'deep' });
}

function useNetwork(call: CommandCall, { network }: Exclude<Verb, string>): void {
  if (network === 'read') call.queries();
  else if (network) call.network();
}

function apply(call: CommandCall, entry: Exclude<Verb, string>, given: Given): void {
  call.accept(given, entry.traits?.includes('any-option'));
  call.roles(given);
  useNetwork(call, entry);
  say(call, entry.class, entry.why);
  applyOperands(call, entry, given.operands);
}

/** A compiled entry. Its tables are parsed on the first use. */
export function compile(entry: CommandEntry): Command {
  let classifier: ((call: CommandCall) => void) | null = null;
  return {
    entry,
    wrapper: entry.traits?.includes('wrapper') ?? false,
    classify(call) {
      classifier ??= compileClassifier(entry);
      classifier(call);
    },
  };
}

function compileClassifier(entry: CommandEntry): (call: CommandCall) => void {
  const t = table(entry.options ?? '');
  const style = entry.style ?? [];
  const versions = entry.version?.split(' ').map((word) => word.split('='));
  const verbs = entry.verbs ? compileVerbs(entry.verbs, entry.options ?? '') : null;
  const helped = helpedWords(entry);
  // For a builtin, `--help` may be an ordinary name.
  const isInformed = !builtins.includes(entry);
  const loads = filesOf(entry);
  const { handle } = entry;
  return (call) => {
    let verb: CompiledVerb | null = null;
    const only = call.args.length === 2 ? call.args[1]!.literal : null;
    if (only !== null && ((versions && tells(versions, call)) || (isInformed && asksInformation(entry, call.name, only)))) {
      // Only the files that it loads before it prints the information matter here.
    } else if (helped.size > 0 && asksHelp(helped, call, style)) {
      useNetwork(call, entry);
    } else if (verbs) verb = classifyVerb(call, entry, t, verbs);
    else if (handle) handle(call, t);
    else apply(call, entry, call.parse(t, style));
    const files = verb && verb.loads.length > 0 ? [...loads, ...verb.loads] : loads;
    // A folder that someone chose may have been prepared.
    if (files.length > 0) call.loads(call.isElsewhere ? [LOOK, ...files] : files);
  };
}

/** True if the only word makes the program print its version. */
function tells(versions: string[][], call: CommandCall): boolean {
  const word = call.args[1]!.literal;
  return versions.some(([flag, names]) => flag === word && (names === undefined || names.split(',').includes(call.name)));
}

/** Subcommands that print their usage: the listed ones, and those in `verbs` that do not pass their words to another program. */
function helpedWords({ help, verbs, traits }: CommandEntry): ReadonlySet<string> {
  const words = new Set(help?.split(/\s+/));
  if (traits?.includes('loads-project-code')) return words;
  for (const [key, verb] of Object.entries(verbs ?? {}))
    if (verb !== RUNS && verb !== executes) for (const one of key.split('|')) if (!one.includes('*')) words.add(one);
  return words;
}

/** True if the last word requests the usage of the subcommand before it. */
function asksHelp(helped: ReadonlySet<string>, { rest }: CommandCall, style: ParseStyle): boolean {
  const last = rest.at(-1)?.literal;
  if (
    rest.length < 2 ||
    rest.length > 5 ||
    !(last === '--help' || last === '-h' || (last === '-help' && style.includes('single-dash')))
  )
    return false;
  const words = rest.slice(0, -1).map((word) => word.literal ?? '');
  if (!words.every((word) => /^[A-Za-z][\w:.-]*$/.test(word))) return false;
  if (helped.has('*') || helped.has(words.join(' '))) return true;
  return words.length <= 2 && helped.has(`${words[0]}.`);
}

function filesOf({ loads }: { loads?: string }): string[] {
  return loads?.split(/\s+/) ?? [];
}

interface CompiledVerb {
  words: string[];
  verb: Verb;
  table: OptionTable;
  loads: string[];
}

/** Verbs grouped by their first word. Verbs with more words come first. */
function compileVerbs(verbs: Record<string, Verb>, own: string): Map<string, CompiledVerb[]> {
  const out = new Map<string, CompiledVerb[]>();
  for (const [key, verb] of Object.entries(verbs)) {
    const { options = '', ...rest } = typeof verb === 'string' ? {} : verb;
    for (const one of key.split('|')) {
      const words = one.split(' ');
      const list = out.get(words[0]!) ?? [];
      list.push({ words, verb, table: table(`${own} ${options}`), loads: filesOf(rest) });
      list.sort((a, b) => b.words.length - a.words.length);
      out.set(words[0]!, list);
    }
  }
  return out;
}

/** True for an option that takes the place of a subcommand: `brew --prefix jq`. */
function isVerb(word: string | null | undefined, verbs: Map<string, CompiledVerb[]>): boolean {
  return word?.startsWith('-') === true && verbs.has(word);
}

/** Options of the program may come before the verb. After the first word, they are part of the table of the verb. */
function wordsAfterOptions(call: CommandCall, entry: CommandEntry, own: OptionTable): Arg[] {
  const front = call.parse(own, [...(entry.style ?? []), 'posix']);
  call.accept({ ...front, flaggy: front.operands[0] === front.flaggy ? null : front.flaggy });
  call.roles(front);
  call.subcommand(front);
  if (front.operands.length > 0) return front.operands;
  if (front.options.length > 0 && !front.options.every((o) => /^(?:version|help|list|v|V|h)$/.test(o.name)))
    call.unknown(`${call.name} without a subcommand is not understood`);
  else {
    if (entry.class !== undefined) useNetwork(call, entry);
    say(call, entry.class, entry.why);
  }
  return [];
}

/** Analyzes the subcommand and returns its compiled verb. */
function classifyVerb(
  call: CommandCall,
  entry: CommandEntry,
  own: OptionTable,
  verbs: Map<string, CompiledVerb[]>,
): CompiledVerb | null {
  const program = call.name;
  const words = isVerb(call.rest[0]?.literal, verbs) ? call.rest : wordsAfterOptions(call, entry, own);
  if (words.length === 0) return null;
  const compiled = findVerb(call, program, words, verbs);
  if (!compiled) return null;
  // For `*`, the name contains the given subcommand.
  call.name = `${program} ${compiled.words.map((word, i) => (word === '*' ? (words[i]?.literal ?? word) : word)).join(' ')}`;
  const { verb } = compiled;
  if (typeof verb === 'string') {
    say(call, verb, undefined);
    return compiled;
  }
  call.args = [words[compiled.words.length - 1]!, ...words.slice(compiled.words.length)];
  if (verb.handle) {
    if (verb.network === 'read') call.queries();
    verb.handle(call, compiled.table);
  } else apply(call, verb, call.parse(compiled.table, [...(entry.style ?? []), ...(verb.style ?? [])]));
  return compiled;
}

/** The subcommand as users know it. If the first word names a group, the second word is included. */
function subcommandOf(program: string, words: readonly Arg[], verbs: Map<string, CompiledVerb[]>): string {
  const first = words[0]!.literal!;
  const second = words[1]?.literal ?? '';
  const isGroup = verbs.get(first)?.some(({ words }) => words.length > 1) ?? false;
  return [program, first, ...(isGroup && /^[a-z][\w-]*$/.test(second) ? [second] : [])].join(' ');
}

function findVerb(call: CommandCall, program: string, words: Arg[], verbs: Map<string, CompiledVerb[]>): CompiledVerb | null {
  const first = words[0]!.literal;
  if (first === null) {
    call.unknown(`the subcommand of ${program} is unknown`, words[0]);
    return null;
  }
  const fits = ({ words: wanted }: CompiledVerb) => wanted.every((w, i) => w === '*' || words[i]?.literal === w);
  const compiled = verbs.get(first)?.find(fits) ?? verbs.get('*')?.[0] ?? null;
  if (!compiled) call.unknown(`${subcommandOf(program, words, verbs)} is not in the list of commands that only read`, words[0]);
  return compiled;
}

// Command lines with one word after the program that only print help or a version have the same form for nearly every program.
// So these tables list the exceptions: a program that gives the word another meaning, or that loads code of the project first.

/**
 * Names for which `--help` and `--version` do not work as options. They are keywords of the shell, or programs that run or open
 * the word, read commands from their input, use the word as a name, or stop the machine.
 */
const TAKE_OTHERWISE = new Set(
  'time noglob nocorrect batch reboot poweroff halt shutdown telinit tclsh wish expect erl osascript csh sh dash ash ksh say pbcopy pbpaste write mail sendmail wall newgrp chronic ifne daemonize torify tsocks proxychains proxychains4 torsocks unbuffer caffeinate catchsegv dbus-run-session xvfb-run bmake babel-node swc-node jruby pnpx service ftp telnet tftp ts tsp cd-hit'.split(
    ' ',
  ),
);

/** These programs read `--version` as a file name. */
const NO_VERSION = new Set(['rimraf', 'del', 'trash-put']);

const names = (text: string) => new Set(text.split(/\s+/));

/** Programs with a short form or a bare word that has the same effect. */
const FORMS: Readonly<Record<string, ReadonlySet<string>>> = {
  '-h': names(`rg fd fdfind jq gojq jaq yq bat batcat eza exa lsd curl wget http https hyperfine tokei scc cloc shfmt hadolint yamllint
    ruff black isort mypy eslint prettier biome node nodejs npm npx python python3 python2 ruby perl php pip pip3 uv uvx conda mamba
    cargo rustc rustup make gmake cmake ctest ninja meson just task rake aws gcloud az op vault nomad consul ansible ansible-playbook
    ffmpeg ffplay ffprobe gpg gpg2 gpgv rsync systemctl journalctl loginctl hostnamectl timedatectl localectl networkctl resolvectl
    coredumpctl systemd-analyze systemd-run systemd-detect-virt ss ip lsof strace ltrace dmesg lscpu lsblk findmnt lsns lsipc lsmem
    lslocks htop btm ncdu nvidia-smi pgrep pkill pidof pmap pwdx free top watch sudo gdb lldb valgrind hexyl xxd docker podman nerdctl
    docker-compose gh glab kubectl oc helm terraform tofu brew gem apt apt-get apt-cache aptitude dpkg-query rpm dnf yum pacman apk snap
    flatpak zypper go bun deno tsc dart swift julia lua luajit nim crystal raku R Rscript ghc sqlite3 mongosh duckdb
    pre-commit tmux screen parallel fzf gron delta direnv git-lfs tig lazygit starship zig gitleaks protoc buf nix nix-env asdf mise nvm
    rbenv pyenv volta heroku vercel netlify fly flyctl wrangler firebase supabase pulumi vagrant minikube kind skaffold eksctl doctl
    esbuild vitest playwright clang-format shellcheck openssl age pdfinfo pdffonts pdftotext csvcut csvlook csvstat csvgrep csvsort
    code nano vim nvim hx micro emacs`),
  '-V': names(`rg fd fdfind bat batcat jq yq curl wget python python3 python2 pip pip3 conda mamba cargo rustc rustup uv just ssh ps pgrep
    pkill free uptime w top vmstat lscpu lsblk findmnt lsns lsipc lsmem lslocks dmesg ss ip nginx httpd apache2 dot ab tmux sudo
    strace ltrace psql mysql mariadb mount umount hyperfine tokei delta dnf`),
  help: names(`brew bun docker podman nerdctl docker-compose kubectl oc helm gh glab go pnpm yarn gcloud aws az uv pip pip3 rustup gem
    apt apt-get aptitude snap dnf yum zypper terraform tofu pulumi minikube kind skaffold eksctl fly flyctl doctl heroku vercel netlify
    supabase firebase zig gitleaks asdf mise pyenv rbenv nvm openssl dart buf git-lfs direnv op vault nomad consul`),
  version:
    names(`docker podman nerdctl docker-compose kubectl oc helm gh glab go terraform tofu pulumi minikube kind skaffold eksctl
    fly flyctl doctl heroku wrangler consul vault nomad zig gitleaks openssl buf direnv gcloud az`),
  '-help': names('java javac javap terraform tofu kotlin kotlinc sqlite3 vault consul nomad dot'),
  '-version': names(
    'java javac javap terraform tofu sqlite3 vault consul nomad ffmpeg ffplay ffprobe scala kotlin kotlinc ocaml',
  ),
};

/** True if the only word after the program requests help or a version, and has no other effect. */
function asksInformation(entry: CommandEntry, program: string, word: string): boolean {
  if (entry.traits?.includes('loads-project-code')) return false;
  if (word === '--help' || word === '--version')
    return !TAKE_OTHERWISE.has(program) && !(word === '--version' && NO_VERSION.has(program));
  return Object.hasOwn(FORMS, word) && FORMS[word]!.has(program);
}
