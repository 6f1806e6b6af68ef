// Programs of macOS, in their read-only forms.
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { has, type OptionTable, type ParseStyle } from '../options.ts';
import { looks } from './verbs.ts';

const SINGLE: ParseStyle = ['single-dash'];

/** Accepts the command only if its joined words match the pattern. */
const only = (words: RegExp) => (call: CommandCall) => {
  if (call.rest.some((a) => a.several) || !words.test(call.rest.map((a) => a.literal ?? a.lead).join(' ')))
    call.unknown(`${call.name} with unrecognized arguments`);
};

/** The information about a signature is written to a file, unless the file is `-`. */
function codesign(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  if (!has(given, 'd', 'display', 'v', 'verify')) call.unknown('codesign without -d or -v is not understood');
  for (const o of given.options)
    if (/^(?:entitlements|requirements|r)$/.test(o.name) && !/^:?-$/.test(o.value?.literal ?? ''))
      call.unknown(`codesign ${o.flag} writes to a file`, o.arg);
  for (const o of given.operands) call.read(o, 'codesign', { extent: 'deep' });
}

/** Any other word changes the trust settings. */
function spctl(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  if (!has(given, 'a', 'assess', 'status')) call.unknown('spctl without -a or --status is not understood');
  for (const o of given.operands) call.read(o, 'spctl', { extent: 'deep' });
}

export const macos: CommandEntry[] = [
  {
    names: 'defaults',
    options: '--currentHost --host:',
    style: SINGLE,
    verbs: { 'read|read-type|domains|find|help': looks('--g --globalDomain --app:') },
    examples: { 'defaults read -g AppleLocale': 'read-only', 'defaults write x y 1': 'unknown', 'defaults read -o f': 'unknown' },
  },
  {
    // It also checks if none of these words is given.
    names: 'plutil',
    options: '--p --lint --s --help',
    style: SINGLE,
    operands: 'read',
    examples: { 'plutil -p Info.plist': 'read-only', 'plutil -convert xml1 a.plist': 'unknown', 'plutil -p -o f a': 'unknown' },
  },
  {
    names: 'mdls',
    options: '--name: --n: --raw --nullMarker:',
    style: SINGLE,
    operands: 'list',
    examples: { 'mdls -name kMDItemKind a.pdf': 'read-only', 'mdls -plist f a.pdf': 'unknown' },
  },
  {
    names: 'mdfind',
    options: '--onlyin:l --name: --live --count --0 --literal --interpret',
    style: SINGLE,
    operands: 'text',
    examples: { 'mdfind -name a.txt': 'read-only' },
  },
  {
    names: 'sips',
    options: '-g: --getProperty:',
    operands: 'read',
    examples: { 'sips -g pixelWidth -g pixelHeight a.png': 'read-only', 'sips -Z 640 a.png': 'unknown' },
  },
  { names: 'pbpaste', options: '--pboard: --Prefer:', style: SINGLE, operands: 'none', examples: { pbpaste: 'read-only' } },
  {
    names: 'diskutil',
    style: SINGLE,
    verbs: { 'list|info|listFilesystems|apfs list': looks('--plist --all') },
    examples: { 'diskutil info disk0': 'read-only', 'diskutil eject disk2': 'unknown', 'diskutil apfs resize x': 'unknown' },
  },
  {
    names: 'sw_vers',
    options: '--productName --productVersion --productVersionExtra --buildVersion',
    style: SINGLE,
    operands: 'none',
    examples: { 'sw_vers -productVersion': 'read-only' },
  },
  {
    names: 'system_profiler',
    options: '--listDataTypes --xml --json --detailLevel: --timeout: --nospawn',
    style: SINGLE,
    operands: 'text',
    examples: { 'system_profiler SPHardwareDataType -json': 'read-only' },
  },
  {
    // Without words it reads commands from its standard input.
    names: 'scutil',
    handle: only(/^(?:--get (?:ComputerName|LocalHostName|HostName)|--dns|--proxy|--nwi)$/),
    examples: {
      'scutil --dns': 'read-only',
      'scutil --get HostName': 'read-only',
      scutil: 'unknown',
      'scutil --set HostName x': 'unknown',
    },
  },
  {
    names: 'networksetup',
    handle: only(/^-(?:get|list|show)[A-Za-z0-9]+(?![A-Za-z0-9])(?!.* -)(?: .*)?$/s),
    examples: {
      'networksetup -getinfo Wi-Fi': 'read-only',
      'networksetup -setdhcp Wi-Fi': 'unknown',
      'networksetup -getinfo -setdhcp': 'unknown',
      'networksetup -getinfo Wi-Fi -setdhcp Wi-Fi': 'unknown',
    },
  },
  {
    names: 'spctl',
    options: '-av -t: --assess --verbose? --type: --status --raw',
    handle: spctl,
    examples: {
      'spctl -a -v App.app': 'read-only',
      'spctl --status': 'read-only',
      'spctl -v': 'unknown',
      'spctl --add x': 'unknown',
    },
  },
  {
    names: 'codesign',
    options: '-dv --display --verify --verbose? --deep --strict? --entitlements: --requirements: -r: --xml',
    handle: codesign,
    examples: {
      'codesign -dvvv App.app': 'read-only',
      'codesign -d --entitlements :- App.app': 'read-only',
      'codesign -d --entitlements f App.app': 'unknown',
      'codesign -d -r- App.app': 'read-only',
      'codesign -d --requirements f App.app': 'unknown',
      'codesign -d -r f App.app': 'unknown',
      'codesign -s - App.app': 'unknown',
      'codesign App.app': 'unknown',
    },
  },
  {
    names: 'lipo',
    options: '--info --archs --detailed_info',
    style: SINGLE,
    operands: 'read',
    examples: { 'lipo -info a': 'read-only', 'lipo -thin x86_64 a -output b': 'unknown' },
  },
  {
    names: 'xcode-select',
    version: '-p --print-path -v --version -h --help',
    handle: (call) => call.unknown('xcode-select changes the active tools'),
    examples: { 'xcode-select -p': 'read-only', 'xcode-select --install': 'unknown' },
  },
  {
    // Any other word is a program that it runs.
    names: 'xcrun',
    options: '--f: --find: --sdk: --show-sdk-path --show-sdk-version --show-sdk-platform-path --version',
    style: SINGLE,
    operands: 'none',
    examples: {
      'xcrun --sdk macosx --show-sdk-path': 'read-only',
      'xcrun --find clang': 'read-only',
      'xcrun clang a.c': 'unknown',
    },
  },
  {
    names: 'pkgutil',
    options:
      '--pkgs? --pkg-info: --files: --only-files --only-dirs --file-info:l --check-signature:r --payload-files:r --volume:l',
    operands: 'none',
    examples: { 'pkgutil --pkgs': 'read-only', 'pkgutil --forget x': 'unknown', 'pkgutil --expand a.pkg d': 'unknown' },
  },
  {
    names: 'softwareupdate',
    options: '-l --list --history --list-full-installers',
    operands: 'none',
    network: true,
    examples: { 'softwareupdate -l': 'read-only', 'softwareupdate -ia': 'unknown' },
  },
  {
    names: 'dscl',
    handle: only(
      /^(?:(?:-raw|-plist|-q) )*(?:\.|\/Search|\/Local\/Default|localhost) -?(?:read|readall|list|ls|cat|search)(?: .*)?$/s,
    ),
    examples: {
      'dscl . -read /Users/me': 'read-only',
      'dscl . -create /Users/x': 'unknown',
      dscl: 'unknown',
      'dscl /LDAPv3/h -read /Users': 'unknown',
    },
  },
  {
    names: 'ioreg',
    options: '-abfilrtxS -c: -d: -k: -n: -p: -w: -D:',
    operands: 'none',
    examples: { 'ioreg -l -p IOUSB': 'read-only' },
  },
  {
    names: 'log',
    verbs: {
      'show|stream|stats|help': looks(
        '--last: --predicate: --style: --start: --end: --info --debug --process: --source --backtrace --signpost --level: --type: --no-pager --color: --archive:r --file:r',
      ),
    },
    examples: { 'log show --last 5m --style compact': 'read-only', 'log erase --all': 'unknown', 'log collect': 'unknown' },
  },
  {
    names: 'ipconfig',
    verbs: { 'getifaddr|getpacket|getoption|getsummary|getdhcpduid|ifcount|waitall': looks('') },
    examples: { 'ipconfig getifaddr en0': 'read-only', 'ipconfig set en0 DHCP': 'unknown' },
  },
  { names: 'vm_stat', options: '-c:', operands: 'text', examples: { vm_stat: 'read-only' } },
  {
    names: 'dscacheutil',
    options: '--q: --a: --statistics --configuration --cachedump --entries',
    style: SINGLE,
    operands: 'text',
    network: true,
    examples: { 'dscacheutil -q host -a name example.invalid': 'read-only', 'dscacheutil -flushcache': 'unknown' },
  },
  {
    names: 'pmset',
    handle: only(/^-g(?: [a-z]+)?$/),
    examples: { 'pmset -g batt': 'read-only', 'pmset -a sleep 0': 'unknown' },
  },
  {
    names: 'tmutil',
    verbs: { 'listbackups|latestbackup|destinationinfo|status|listlocalsnapshots|version': looks('') },
    examples: { 'tmutil status': 'read-only', 'tmutil startbackup': 'unknown' },
  },
  { names: 'csrutil', verbs: { status: looks('') }, examples: { 'csrutil status': 'read-only', 'csrutil disable': 'unknown' } },
  {
    // Its first operand may be the name of an attribute.
    names: 'xattr',
    options: '-lprvsx',
    operands: 'list',
    examples: { 'xattr -l a': 'read-only', 'xattr -c a': 'unknown', 'xattr -w n v a': 'unknown' },
  },
];
