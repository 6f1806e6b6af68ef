// Other spellings of the same command: names of programs, modules, signals and resources, and of paths. Before a rule about its options
// is compared with a command, the command is changed to the usual spelling.

type Words = readonly (string | null)[];

/** The name of a program that has several names, and the words that replace it. */
export function asUsual(argv: Words, isModule = true): Words {
  const [first, ...rest] = argv;
  if (first === undefined || first === null) return argv;
  const name = first.slice(first.lastIndexOf('/') + 1);
  const module = isModule && /^(?:python|pypy)[\d.]*$|^py$/.test(name) ? moduleIn(rest) : null;
  if (module !== null) return asUsual(module);
  if (name === 'docker-compose') return ['docker', 'compose', ...rest];
  return [OTHER_NAMES.get(name) ?? name.replace(VERSION, '$1'), ...rest];
}

/** `-m pip install` and `-Impip install` → `pip install`. Null if Python runs something else. */
function moduleIn(words: Words): (string | null)[] | null {
  for (let at = 0; words[at]?.startsWith('-'); at++) {
    const [, attached] = /^-[a-ln-zA-Z]*m(.*)$/.exec(words[at] as string) ?? [];
    if (attached !== undefined) {
      const module = attached === '' ? words.slice(at + 1) : [attached, ...words.slice(at + 1)];
      return module.length === 0 ? null : module;
    }
    if (/^-[WX]$/.test(words[at] as string)) at++;
  }
  return null;
}

/** A program with its version: `python3.12`, `pip3`, `gpg2`. */
const VERSION = /^(python|pypy|pip|ruby|perl|php|lua|node|gpg)[\d.]+$/;

/** Programs with two names. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['apt-get', 'apt'],
  ['yarnpkg', 'yarn'],
  ['.', 'source'],
  ['pn', 'pnpm'],
  ['bundler', 'bundle'],
  ['nodejs', 'node'],
  ['flyctl', 'fly'],
  ['mvnw', 'mvn'],
  ['gradlew', 'gradle'],
  ['bsdtar', 'tar'],
  ['netcat', 'nc'],
  ['ncat', 'nc'],
  ['sls', 'serverless'],
  ['vc', 'vercel'],
  ['firebase-tools', 'firebase'],
  ['slogin', 'ssh'],
  // These pass their words to git.
  ['hub', 'git'],
  ['yadm', 'git'],
  ...'make sed awk tar find xargs rm cp mv ln dd install chmod chown shred truncate touch tee mkdir rmdir split env timeout nice nohup kill'
    .split(' ')
    .map((name): [string, string] => [`g${name}`, name]),
]);

/** Programs that accept the words of another one, for the same services. */
const STANDS_FOR: ReadonlyMap<string, string> = new Map([
  ['oc', 'kubectl'],
  ['kubecolor', 'kubectl'],
  ['microk8s.kubectl', 'kubectl'],
  ['tofu', 'terraform'],
  ['terragrunt', 'terraform'],
  ['helm3', 'helm'],
  ['microk8s.helm', 'helm'],
  ['microk8s.helm3', 'helm'],
  ['yum', 'dnf'],
  ['dnf', 'yum'],
  ['mamba', 'conda'],
  ['micromamba', 'conda'],
  ['mariadb', 'mysql'],
  ['valkey-cli', 'redis-cli'],
]);

/** Programs that pass their words to one of these. Options of their own may come before its name, and `--` after it. */
const PASSES_TO: ReadonlyMap<string, RegExp> = new Map([
  ['corepack', /^(?:npm|npx|pnpm|pnpx|yarn|yarnpkg)(?=@|$)/],
  ['minikube', /^kubectl$/],
  ['k3s', /^kubectl$/],
  ['k0s', /^kubectl$/],
  ['rke2', /^kubectl$/],
  ['tsh', /^kubectl$/],
  ['microk8s', /^(?:kubectl|helm3?)$/],
  ['uv', /^pip$/],
  ['systemctl', /^(?:reboot|poweroff|halt)$/],
]);

/** Words that begin the same command. */
const SAME_BEGINNINGS: readonly [string, string][] = [
  ['npx', 'npm exec'],
  ['npx', 'npm x'],
  ['pnpx', 'pnpm dlx'],
  ['pnx', 'pnpm dlx'],
  ['bunx', 'bun x'],
  ['uvx', 'uv tool run'],
];

/** Subcommands that an option turns into another one. */
const TURNS: readonly [program: string, subcommand: string, option: RegExp, other: string][] = [
  ['terraform', 'apply', /^--?destroy(?:=true)?$/, 'destroy'],
  ['kubectl', 'replace', /^--force(?:=true)?$/, 'delete'],
  ['apt', 'remove', /^--purge$/, 'purge'],
  ['apt-get', 'remove', /^--purge$/, 'purge'],
];

/** The same command with other words, which deny and ask rules match too: `tofu destroy`, `minikube kubectl -- delete pod a`. */
export function sameCommands(argv: Words, depth = 0): Words[] {
  const [first, ...words] = argv;
  if (!first || depth > 2) return [];
  const name = first.slice(first.lastIndexOf('/') + 1);
  const same: Words[] = [];
  const stands = STANDS_FOR.get(name);
  if (stands !== undefined) same.push([stands, ...words]);
  const passed = PASSES_TO.get(name);
  const at = passed === undefined ? -1 : words.findIndex((word) => word !== null && passed.test(word));
  if (at !== -1) same.push([passed!.exec(words[at]!)![0], ...words.slice(words[at + 1] === '--' ? at + 2 : at + 1)]);
  for (const [program, subcommand, option, other] of TURNS) {
    const place = (stands ?? name) === program ? words.indexOf(subcommand) : -1;
    if (place === -1 || !words.some((word) => word !== null && option.test(word))) continue;
    const turned = words.map((word, index) => (index === place ? other : word));
    same.push([name, ...turned.filter((word) => word === null || !option.test(word))]);
  }
  for (const pair of SAME_BEGINNINGS)
    for (const [from, to] of [pair, pair.toReversed()] as [string, string][]) {
      const own = from.split(' ');
      if (depth === 0 && own.every((word, index) => word === [name, ...words][index]))
        same.push([...to.split(' '), ...argv.slice(own.length)]);
    }
  const destroy = /^(?:terraform|tofu|terragrunt)$/.test(name) ? words.indexOf('destroy') : -1;
  if (destroy !== -1 && depth === 0) same.push([name, ...words.with(destroy, 'apply'), '-destroy']);
  return same.flatMap((one) => [one, ...sameCommands(one, depth + 1)]);
}

/** True if Python runs a module. A rule may be about Python or about the module. */
export const startsModule = (argv: Words): boolean => asUsual(argv)[0] !== asUsual(argv, false)[0];

/** The name that rules use for a program, also on a disk that ignores case and on Windows. */
export function usualProgram(name: string): string {
  const plain = name.toLowerCase().replace(/\.exe$/, '');
  return OTHER_NAMES.get(plain) ?? plain;
}

/** Signals that have the same number on every system. */
const SIGNALS: ReadonlyMap<string, number> = new Map(
  'HUP INT QUIT ILL TRAP ABRT - FPE KILL - SEGV - PIPE ALRM TERM'.split(' ').map((name, at) => [name, at + 1]),
);

/** `-KILL`, `-SIGKILL`, `-s KILL` and `-9` are the same signal. */
function asNumbers(argv: Words): (string | null)[] {
  const numberOf = (name: string): string => `${SIGNALS.get(name.toUpperCase().replace(/^SIG/, '')) ?? name}`;
  return argv.map((word, at) => {
    const [, attached] = /^--signal=(.+)$/.exec(word ?? '') ?? [];
    if (attached !== undefined) return `--signal=${numberOf(attached)}`;
    const [, name = ''] = /^-((?:SIG)?[A-Z]+\d?|\d+)$/i.exec(word ?? '') ?? [];
    if (numberOf(name) !== name || /^\d+$/.test(name)) return `--signal=${numberOf(name)}`;
    return /^(?:-[sn]|--signal)$/.test(argv[at - 1] ?? '') && word !== null ? numberOf(word) : word;
  });
}

/** The first word of tar may be a bundle without a dash. Its letters take their values from the next words in order: `tar xCf / a`. */
function withDashes([name = '', first, ...rest]: Words): (string | null)[] {
  if (!first || !/^[A-Za-z]+$/.test(first)) return [name, ...(first === undefined ? [] : [first]), ...rest];
  // A rule may leave out the values: `tar xf`.
  const letters = [...first].flatMap((letter) => [`-${letter}`, ...(/[bCfFgHIKLNTVX]/.test(letter) ? rest.splice(0, 1) : [])]);
  return [name, ...letters, ...rest];
}

/** Names of settings of ssh have no case, and `=` or a blank may come before the value. */
function withSettings(argv: Words): (string | null)[] {
  return argv.map((word, at) => {
    const [, flag, setting = '', value = ''] = /^(-o)?\s*(\w+)(?:\s*=\s*|\s+)(.*)$/s.exec(word ?? '') ?? [];
    return setting !== '' && (flag !== undefined || argv[at - 1] === '-o')
      ? `${flag ?? ''}${setting.toLowerCase()}=${value}`
      : word;
  });
}

/** Short and plural names of resources: `kubectl delete ns x` and `kubectl delete namespaces/x`. */
const RESOURCES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    configmap: 'cm configmaps',
    cronjob: 'cj cronjobs',
    customresourcedefinition: 'crd crds customresourcedefinitions',
    daemonset: 'ds daemonsets',
    deployment: 'deploy deployments',
    ingress: 'ing ingresses',
    job: 'jobs',
    namespace: 'ns namespaces',
    node: 'no nodes',
    persistentvolume: 'pv persistentvolumes',
    persistentvolumeclaim: 'pvc persistentvolumeclaims',
    pod: 'po pods',
    replicaset: 'rs replicasets',
    secret: 'secrets',
    service: 'svc services',
    serviceaccount: 'sa serviceaccounts',
    statefulset: 'sts statefulsets',
  }).flatMap(([usual, others]) => [usual, ...others.split(' ')].map((one): [string, string] => [one, usual])),
);

function withResources([name = '', ...words]: Words): (string | null)[] {
  return [
    name,
    ...words.flatMap((word) => {
      const [type = '', ...rest] = word?.split('/') ?? [];
      const usual = RESOURCES.get(type.toLowerCase());
      return usual === undefined ? [word] : [usual, ...(rest.length === 0 ? [] : [rest.join('/')])];
    }),
  ];
}

/** `gradle :app:publish` runs the task of one project. */
const withTasks = (argv: Words): Words =>
  argv.map((word) => (word !== null && /^[\w.:-]*[\w.-]$/.test(word) ? word.slice(word.lastIndexOf(':') + 1) : word));

/** A command of gcloud is the same one in every release track. */
function withoutTrack(argv: Words): Words {
  const at = argv.slice(0, 4).findIndex((word) => word === 'alpha' || word === 'beta' || word === 'preview');
  return at === -1 ? argv : argv.filter((_, place) => place !== at);
}

/** `./a` and `a/` are the same operand as `a`. */
const asOperand = (word: string | null): string | null =>
  word === null || word.startsWith('-') ? word : word.replace(/^(?:\.\/+)+(?=.)/, '').replace(/(?<=[^/])\/+$/, '');

/** `npx prettier@3` runs prettier. */
const withoutVersion = ([name = '', ...words]: Words): (string | null)[] => [
  name,
  ...words.map((word) => word?.replace(/(?<=^(?:@[\w.-]+\/)?[\w.-]+)@[\w.^~-]+$/, '') ?? null),
];

/** `chmod 0777` sets the mode 777. */
const withoutZeros = (argv: Words): Words => argv.map((word) => word?.replace(/^0+(?=[0-7]{3,4}$)/, '') ?? null);

/** Redis ignores the case of its commands. */
const inLowerCase = (argv: Words): Words => argv.map((word) => (word && /^[A-Z]+$/.test(word) ? word.toLowerCase() : word));

/** Other spellings of the words of a program, which are changed to one spelling before they are compared. */
const SPELLED: Readonly<Record<string, (argv: Words) => Words>> = {
  kill: asNumbers,
  pkill: asNumbers,
  killall: asNumbers,
  chmod: withoutZeros,
  tar: withDashes,
  ssh: withSettings,
  scp: withSettings,
  gcloud: withoutTrack,
  npx: withoutVersion,
  bunx: withoutVersion,
  pnpx: withoutVersion,
  'redis-cli': inLowerCase,
  gradle: withTasks,
  kubectl: withResources,
  oc: withResources,
};

/**
 * The words of a command in the spelling that is compared.
 * @param isModule `python -m pip` counts as `pip`
 */
export function usualWords(given: Words, isModule = true): Words {
  const [name, ...words] = asUsual(given, isModule);
  const usual = name === undefined ? [] : [name, ...words.map(asOperand)];
  return name && Object.hasOwn(SPELLED, name) ? SPELLED[name]!(usual) : usual;
}
