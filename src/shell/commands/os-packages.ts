// Package managers of operating systems: lists, information, and simulations.
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { has, type OptionTable } from '../options.ts';
import { asks, looks } from './verbs.ts';

const SIMULATED = '-s --simulate --dry-run --just-print --no-act --recon';

/** The option may also come before the verb. */
function simulated(call: CommandCall, t: OptionTable) {
  call.accept(call.parse(t));
  const words = call.host.effects.commands[call.entry]!.argv.slice(1);
  const end = words.indexOf('--');
  const options = end === -1 ? words : words.slice(0, end);
  if (!options.some((word) => word !== null && SIMULATED.split(' ').includes(word)))
    call.unknown(`${call.name} changes the installed packages`);
  for (const o of call.rest) if (o.lead.includes('/')) call.unknown(`${call.name} may install the package from a file`, o);
}

const WORDS = /^[\w@.:+/-]*$/;

/** The first word selects the action. */
const first = (looks: RegExp, why: string) => (call: CommandCall) => {
  const [order, ...rest] = call.rest;
  if (!looks.test(order?.literal ?? '')) call.unknown(`${call.name} ${why}`, order);
  for (const o of rest)
    if (!WORDS.test(o.literal ?? ' ') || o.lead.startsWith('-')) call.unknown(`${call.name} with an unrecognized argument`, o);
};

export const osPackages: CommandEntry[] = [
  {
    // -s and -p are not listed, because they name files for its cached data.
    names: 'apt-cache',
    version: '--version -v',
    options: '-q',
    verbs: {
      'show|search|policy|depends|rdepends|showpkg|madison|pkgnames|stats|dumpavail|showsrc': looks(
        '--installed --all-versions -a -n --names-only -f --full --no-all-versions',
      ),
    },
    examples: { 'apt-cache policy foo': 'read-only', 'apt-cache -s search gencaches': 'unknown' },
  },
  {
    names: 'apt apt-get aptitude',
    version: '--version -v',
    options: `-q ${SIMULATED}`,
    verbs: {
      'list|show|search|policy|depends|rdepends|showpkg|madison|pkgnames|stats|dumpavail|showsrc': looks(
        '--installed --upgradable --all-versions -a -n --names-only -f --full --no-all-versions',
      ),
      // With -s it only prints the actions that it would take.
      'install|upgrade|dist-upgrade|full-upgrade|remove|purge|autoremove': { options: SIMULATED, handle: simulated },
    },
    examples: {
      'apt-get -s install foo': 'read-only',
      'apt-get install --dry-run foo': 'read-only',
      'apt-get install foo': 'unknown',
      'apt-get -s -o x=y install foo': 'unknown',
      'apt-get -s update': 'unknown',
      'apt-get install -- -s foo': 'unknown',
      'apt-get -s install ./a.deb': 'unknown',
    },
  },
  {
    names: 'apt-file',
    handle: first(/^(?:search|find|list|show)$/, 'may fetch or remove its index'),
    examples: {
      'apt-file search libssl.so': 'read-only',
      'apt-file list openssl': 'read-only',
      'apt-file update': 'unknown',
      'apt-file purge': 'unknown',
      'apt-file -c d search x': 'unknown',
      'apt-file search -f names': 'unknown',
      "apt-file search 'a b'": 'unknown',
    },
  },
  {
    names: 'dpkg',
    version: '--version',
    options:
      '-l -L -s -S -p -V -C -c:r -I:r --list --listfiles --status --search --get-selections --print-architecture --print-avail --contents:r --info:r --print-foreign-architectures --compare-versions --verify --audit',
    operands: 'text',
    handle: dpkg,
  },
  {
    names: 'dpkg-deb',
    options: '-c:r -I:r --contents:r --info:r --version',
    examples: { 'dpkg-deb -c a.deb': 'read-only', 'dpkg-deb -x a.deb d': 'unknown' },
  },
  {
    names: 'dpkg-query',
    options: '-W -l -s -L -S -f: -p --show --list --status --listfiles --search --showformat:',
    operands: 'text',
  },
  {
    names: 'rpm',
    options:
      '-q -a -i -l -f -c -d --package --query --all --info --list --file --version --qf: --queryformat: --requires --provides --changelog --scripts -p',
    handle: rpm,
    examples: { 'rpm -qi bash': 'read-only', 'rpm -qp https://a.invalid/x.rpm': 'unknown' },
  },
  {
    names: 'apt-mark',
    verbs: { 'showmanual|showauto|showhold|showinstall|showremove': looks('') },
    examples: { 'apt-mark showmanual': 'read-only', 'apt-mark hold x': 'unknown' },
  },
  {
    names: 'apt-config',
    verbs: { dump: looks('') },
    examples: { 'apt-config dump': 'read-only', 'apt-config -c f dump': 'unknown' },
  },
  {
    names: 'update-alternatives',
    options: '--list --display --query --get-selections --version',
    handle: first(/^--(?:list|display|query|get-selections|version)$/, 'changes the target of a name'),
    examples: {
      'update-alternatives --display editor': 'read-only',
      'update-alternatives --set editor /bin/ed': 'unknown',
      'update-alternatives --list --set x /y': 'unknown',
      'update-alternatives --log f --list x': 'unknown',
    },
  },
  {
    names: 'dnf yum',
    version: '--version',
    options: '-q --quiet -C --cacheonly',
    verbs: {
      'list|info|search|repolist|repoquery|provides|whatprovides|deplist': asks(
        '-l --list --installed --available --upgrades --all --requires --whatrequires --whatprovides --showduplicates',
      ),
    },
    examples: { 'dnf list installed': 'read-only', 'dnf install x': 'unknown', 'yum list -c f': 'unknown' },
  },
  {
    names: 'pacman',
    version: '--version -V',
    handle: first(/^-(?:Q[cdegiklmnoqstu]*|S(?:s|ss|sq|i|ii|g|gg|l|lq)|F|Fl)$/, 'may install or remove'),
    examples: {
      'pacman -Qi bash': 'read-only',
      'pacman -Ss x': 'read-only',
      'pacman -S x': 'unknown',
      'pacman -Sy': 'unknown',
      'pacman -Q -b d': 'unknown',
      'pacman -Q --config=f': 'unknown',
      'pacman -Qbd': 'unknown',
      'pacman -Q $x': 'unknown',
      'pacman -Qip https://a.invalid/x': 'unknown',
    },
  },
  {
    names: 'apk',
    version: '--version -V',
    verbs: {
      'info|list|search|policy|stats': asks('-e -v -a -d -L -R -s -w -W -r -i -I -u -q -x --installed --available --upgradable'),
    },
    examples: {
      'apk info -vv': 'read-only',
      'apk add x': 'unknown',
      'apk list --update-cache': 'unknown',
      'apk -X x list': 'unknown',
    },
  },
  {
    names: 'snap',
    version: '--version version',
    verbs: { 'list|info|find|services|connections': asks('--all --verbose --color: --unicode:') },
    examples: { 'snap list --all': 'read-only', 'snap remove x': 'unknown' },
  },
  {
    // With the name of a port it may run the Portfile.
    names: 'port',
    class: 'unknown',
    why: 'reads commands',
    version: 'version',
    verbs: { 'installed|outdated': looks('', { operands: 'none' }) },
    examples: {
      'port installed': 'read-only',
      'port installed current': 'unknown',
      'port info': 'unknown',
      'port install x': 'unknown',
      port: 'unknown',
    },
  },
  {
    names: 'mas',
    version: 'version',
    verbs: { 'list|outdated|search|info': asks('') },
    examples: { 'mas list': 'read-only', 'mas install 1': 'unknown', 'mas upgrade': 'unknown' },
  },
  {
    // A log file can be named.
    names: 'winget',
    version: '-v --info',
    verbs: {
      'list|ls|search|find|show|view|source list': asks(
        '-e -n: -q: -s: --id: --name: --query: --source: --exact --count: --versions',
      ),
    },
    examples: {
      'winget list': 'read-only',
      'winget show --id x -e': 'read-only',
      'winget list --log f': 'unknown',
      'winget list -o f': 'unknown',
      'winget install x': 'unknown',
      'winget source reset': 'unknown',
    },
  },
  {
    // Every option may also begin with a slash, also the one that names a log file.
    names: 'choco',
    verbs: { 'list|outdated': asks('-lr --local-only --limit-output', { operands: 'none' }) },
    examples: {
      'choco list --local-only': 'read-only',
      'choco outdated': 'read-only',
      'choco list /log-file=f': 'unknown',
      'choco list --log-file=f': 'unknown',
      'choco install x': 'unknown',
    },
  },
  {
    names: 'flatpak',
    version: '--version',
    verbs: { 'list|info|remotes|history': looks('--app --runtime --user --system --columns: -d --show-details') },
    examples: { 'flatpak list --app': 'read-only', 'flatpak run x': 'unknown' },
  },
];

function dpkg(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.roles(given);
}

function rpm(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  const query = given.options[0];
  if (query && query.name !== 'q' && query.name !== 'query' && query.name !== 'version' && query.name !== 'a')
    call.unknown('rpm without -q is not understood');
  if (!given.options.some((o) => o.name === 'q' || o.name === 'query' || o.name === 'version'))
    call.unknown('rpm without -q is not understood');
  for (const o of given.operands)
    if (o.literal === null || o.literal.includes('://')) call.unknown('rpm fetches the package into a temporary file', o);
  // Packages, or a list of them.
  if (has(given, 'p', 'package')) for (const o of given.operands) call.read(o, 'rpm -qp');
}
