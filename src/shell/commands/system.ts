// The system: its properties, its processes, and its logs.
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { has, type OptionTable, option } from '../options.ts';
import { newTemporary } from '../targets.ts';
import { runsUnknownInput } from './starters.ts';

const HELP = ' --help --version';

function date(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['abbreviations']);
  call.accept(given);
  call.roles(given);
  if (has(given, 'j')) return;
  for (const o of given.operands) {
    if (o.lead.startsWith('+')) continue;
    call.unknown('date with an operand other than +FORMAT may set the clock', o);
  }
}

const IP_OPTION = /^-(?:[46sdhojrcNtp]|br|brief|color|json|oneline|details|statistics|pretty|resolve|human|iec|timestamp)$/;
const IP_OBJECT = /^(?:a|addr|address|l|link|r|ro|route|rule|ru|n|neigh|neighbor|neighbour|ntable|maddress|maddr|tunnel)$/;

/** `ip OBJECT [show …]`. The verb can be abbreviated, and `s` or `a` may then mean set or add, so it must be written in full. */
function ip(call: CommandCall) {
  const words = call.rest.map((a) => a.literal);
  let i = 0;
  while (i < words.length && IP_OPTION.test(words[i] ?? '')) i++;
  if (i === words.length) return;
  const verb = words[i + 1];
  if (!IP_OBJECT.test(words[i] ?? '') || (verb !== undefined && !/^(?:show|sh|list|ls|lst|get)$/.test(verb ?? '')))
    call.unknown('ip with unrecognized arguments');
}

function mktemp(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  if (has(given, 'u', 'dry-run')) return;
  const at = call.args[0]!;
  const [template, more] = given.operands;
  // Some implementations take several templates, and read the word after -t as the beginning of a name.
  if (more) call.unknown('mktemp with several templates is not understood', more);
  const { temp } = call.host;
  if (!template && !has(given, 'p', 'tmpdir'))
    call.write(at.as(newTemporary(temp)).at(at), 'mktemp', { why: 'mktemp creates a temporary file' });
  else if (
    template &&
    has(given, 't') &&
    !has(given, 'p', 'tmpdir') &&
    template.literal !== null &&
    !template.literal.includes('/')
  )
    call.write(template.globbed(`${temp}/${template.literal.replace(/X{3,}/g, '*')}*`), 'mktemp');
  else if (template && !has(given, 'p', 'tmpdir', 't')) {
    const name = template.literal;
    if (name === null) call.unknown('the folder of the temporary file is unknown', template);
    else {
      // A new name in the temporary folder needs no comparison with the files there.
      const isTemporary = name.startsWith(`${temp}/`) && !name.includes('..');
      call.write(isTemporary ? template : template.globbed(name.replace(/X{3,}/g, '*')), 'mktemp', {
        why: 'mktemp creates a file',
      });
    }
  } else {
    const folder = option(given, 'p', 'tmpdir')?.value?.literal;
    if (!folder || has(given, 't') || (template && template.literal === null))
      return call.unknown('the folder of the temporary file is unknown');
    const name = (template?.literal ?? 'tmp.XXX').replace(/X{3,}/g, '*');
    call.write(at.globbed(`${folder}/${name}`).at(at), 'mktemp', { why: 'mktemp creates a file' });
    // Without a template, some implementations first use the temporary folder from the environment.
    if (!template) call.write(at.as(newTemporary(temp)).at(at), 'mktemp');
  }
}

export const system: CommandEntry[] = [
  {
    names: 'date gdate',
    // BSD date sets the clock unless -j is given. GNU date does not know -j.
    options: `-uRj -v: -I? -d: -f:r -r: --date: --debug --file:r --iso-8601? --rfc-email --rfc-2822 --rfc-3339: --reference:l --utc --universal${HELP}`,
    handle: date,
    examples: { 'date +%F': 'read-only', 'date -s 2020-01-01': 'unknown', 'date 010112002020': 'unknown' },
  },
  {
    names: 'uname arch whoami logname tty nproc hostid',
    options: `-asnrmpiov --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system --ignore: -s${HELP}`,
    traits: ['any-option'],
  },
  {
    names: 'id groups',
    options: `-agGnruzZ --group --groups --name --real --user --zero${HELP}`,
    operands: 'text',
    traits: ['any-option'],
  },
  {
    names: 'hostname',
    options: '-adfiIsAy --all-fqdns --all-ip-addresses --fqdn --long --short --ip-address --domain --alias --version',
    operands: 'none',
  },
  {
    names: 'hostnamectl timedatectl localectl loginctl',
    options: '--no-pager',
    verbs: {
      'status|show|list-sessions|list-users|list-timezones|list-locales|list-keymaps': {
        options: '-p: --property: --value -a --all',
        operands: 'text',
      },
    },
  },
  { names: 'locale', options: '-akmcv --all-locales --charmaps --category-name --keyword-name --verbose', operands: 'text' },
  {
    names: 'last',
    options: '-adFiRwx -f:r -n: -p: -s: -t: --hostlast --dns --file:r --fulltimes --ip --limit: --fullnames --system',
    style: ['digits'],
    operands: 'text',
    examples: { 'last -n 5': 'read-only', 'last -5 -f /var/log/wtmp reboot': 'read-only' },
  },
  {
    // Modes' own program. AGENTS.md names this verb to agents that have no other way to learn the mode.
    names: 'modes',
    verbs: { status: { options: '--json', operands: 'none' } },
    examples: {
      'modes status': 'read-only',
      'modes status --json': 'read-only',
      'modes mode two': 'unknown',
      'modes log': 'unknown',
    },
  },
  {
    names: 'uptime w lastlog',
    options: '-psahluHimqrbdtTufoFwixRN -n: --pretty --since --short --no-header --old-style',
    style: ['digits'],
    operands: 'text',
  },
  {
    names: 'who users',
    options:
      '-abdHlmpqrsTtuw --all --boot --dead --heading --ips --login --lookup --process --count --runlevel --short --time --users --message --writable --mesg --help --version',
    traits: ['any-option'],
    // If there are two words, as in `who am i`, neither is a file.
    handle: (call, t) => {
      const given = call.parse(t);
      call.accept(given, true);
      const [file, more] = given.operands;
      if (file && !more) call.read(file, call.name);
    },
    examples: { 'who -a': 'read-only', 'who am i': 'read-only' },
  },
  {
    names: 'df',
    options: `-abcgmnhHiIklPTYy -B: -t: -x: --all --block-size: --human-readable --si --inodes --local --no-sync --sync --output? --portability --print-type --total --type: --exclude-type:${HELP}`,
    operands: 'list',
    traits: ['any-option'],
  },
  {
    names: 'free vmstat iostat mpstat',
    options: '-bkmghltwVasdnSpxcyzN -s: -c: --human --si --total --wide --kilo --mega --giga --bytes --lohi --line --version',
    operands: 'text',
  },
  {
    // Neither the Linux nor the macOS version has an option that writes.
    names: 'ps',
    traits: ['any-option'],
    operands: 'text',
    options:
      '-AadefFlLmNTVwxyZjHMc -C: -G: -g: -n: -O: -o: -p: -q: -s: -t: -u: -U: --pid: --ppid: --user: --group: --sort: --format: --forest --headers --no-headers --cols: --columns: --width: --rows: --lines: --cumulative --deselect --context --quick-pid: --sid: --tty: --version',
  },
  {
    names: 'pgrep pidof pstree',
    options:
      '-acfilnovwxLVhHkpTZA -d: -g: -G: -P: -s: -t: -u: -U: -F:r --list-name --list-full --full --exact --newest --oldest --count --ignore-case --inverse --parent: --delimiter: --arguments --show-pids --numeric-sort',
    operands: 'text',
  },
  {
    // -n and -N are not listed, because they create a settings file.
    names: 'pmap pwdx',
    version: '--version -V',
    options: '-dpqxX --device --extended --quiet --show-path',
    operands: 'text',
    examples: { 'pmap -x 1': 'read-only', 'pwdx 1': 'read-only', 'pmap -n': 'unknown' },
  },
  { names: 'top', options: '-bciHS1 -d: -l: -n: -o: -p: -u: -U: -w:', operands: 'none' },
  {
    names: 'lscpu lsblk lspci lsusb lsmod lsns lsipc lsmem lslocks findmnt',
    options:
      '-aAbcdDefilmnoOpPrstTvx --all --json -J --bytes --output: --list --noheadings --paths --tree --verbose --nodeps --fs',
    operands: 'text',
  },
  {
    names: 'blkid',
    options: '-iklp -o: -s: -t: -L: -U: -V -h',
    handle: (call, t) => {
      const given = call.parse(t);
      call.accept(given);
      if (!has(given, 'p', 'k', 'V', 'h')) call.unknown('blkid without -p writes a cache');
    },
    examples: { 'blkid -p /dev/sda1': 'read-only', blkid: 'unknown', 'blkid -c x': 'unknown' },
  },
  {
    names: 'nvidia-smi',
    options:
      '-Lqxh -i: -d: -l: --list-gpus --query --query-gpu: --query-compute-apps: --format: --id: --display: --loop: --help --version',
    operands: 'none',
    examples: { 'nvidia-smi -q': 'read-only', 'nvidia-smi -r': 'unknown' },
  },
  { names: 'lsof', options: '-abCefGhHilMnNoOPRSstTUVvwXxz -c: -d: -F? -g? -i? -p: -s? -u: -t', operands: 'text' },
  {
    names: 'ss netstat',
    options:
      '-ahlnoeptuwx46mirsgcVEbZOHTMSv -A: -f: --all --listening --numeric --tcp --udp --unix --processes --summary --options --extended --route --interfaces --programs --statistics --ipv4 --ipv6 --resolve --no-header',
    operands: 'text',
  },
  {
    names: 'ifconfig',
    options: '-as',
    operands: 'text',
    most: 1,
    examples: { 'ifconfig en0': 'read-only', 'ifconfig en0 down': 'unknown' },
  },
  { names: 'arp', options: '-aenv', operands: 'text', examples: { 'arp -an': 'read-only', 'arp -d x': 'unknown' } },
  { names: 'lsb_release', options: '-aidrcsv --all --id --description --release --codename --short --version' },
  { names: 'ip', handle: ip, examples: { 'ip addr show': 'read-only', 'ip link set lo down': 'unknown' } },
  { names: 'getconf', options: '-a -v:', operands: 'text' },
  { names: 'printenv', options: '-0 --null', operands: 'text', traits: ['any-option'] },
  {
    names: 'sysctl',
    options: '-aAnNbe --all --names --values',
    handle: (call, t) => {
      const given = call.parse(t);
      call.accept(given);
      for (const o of given.operands)
        if (o.literal === null || o.literal.includes('=')) call.unknown('sysctl NAME=VALUE sets it', o);
    },
  },
  {
    names: 'dmesg',
    options:
      '-HTtxkuLePr -l: -f: --human --ctime --level: --facility: --kernel --userspace --decode --color? --nopager --raw --json -J',
    operands: 'none',
  },
  {
    names: 'journalctl',
    version: '--version',
    // `-b -1` is the previous boot.
    style: ['digits'],
    examples: {
      'journalctl -b -1 -u x': 'read-only',
      'journalctl --version': 'read-only',
      'journalctl -F _SYSTEMD_UNIT': 'read-only',
      'journalctl --rotate': 'unknown',
      'journalctl --cursor-file=f': 'unknown',
    },
    options:
      '-aefkqrxmlN -b? -n? -o: -p: -t: -u: -g: -S: -U: -F: -c: --field: --fields --header --file:r --list-catalog --output-fields: --merge --no-full --full --no-tail --show-cursor --cursor: --after-cursor: --no-pager --since: --until: --unit: --user-unit: --priority: --output: --lines? --reverse --follow --boot? --dmesg --grep: --identifier: --all --quiet --utc --system --user --list-boots --disk-usage --no-hostname --catalog',
    operands: 'text',
  },
  {
    names: 'systemctl',
    version: '--version --failed',
    options:
      '--no-pager --user --system --all -a -l --full --plain --no-legend --type: -t: --state: --failed -q --quiet -n: --lines: -o: --output: -p: --property: --value',
    verbs: {
      'status|is-active|is-enabled|is-failed|show|cat|list-units|list-unit-files|list-timers|list-sockets|list-paths|list-automounts|list-machines|is-system-running|list-dependencies|list-jobs|show-environment|get-default':
        { operands: 'text' },
    },
    examples: {
      'systemctl --failed': 'read-only',
      'systemctl --version': 'read-only',
      'systemctl is-system-running': 'read-only',
      'systemctl restart x': 'unknown',
    },
  },
  {
    names: 'service',
    handle: (call) =>
      (call.rest.length === 1 && call.rest[0]!.literal === '--status-all') ||
      (call.rest.length === 2 && call.rest[1]!.literal === 'status' && /^[\w@.-]+$/.test(call.rest[0]!.literal ?? ''))
        ? undefined
        : call.unknown('service starts or stops something'),
  },
  { names: 'launchctl', verbs: { 'list|print|version': { operands: 'text' } } },
  {
    names: 'crontab',
    options: '-l',
    operands: 'none',
    class: 'read-only',
    handle: (call) => {
      if (call.rest.length === 1 && call.rest[0]!.literal === '-l') return;
      call.unknown('crontab changes what runs regularly');
      if (call.rest.some(({ literal }) => literal === '-')) runsUnknownInput(call);
    },
  },
  { names: 'sleep', options: HELP, operands: 'text', traits: ['any-option'] },
  { names: 'cal ncal', options: '-13bhjmMNswyY3 -A: -B: -d: -m: -n:', operands: 'text' },
  {
    names: 'tput',
    options: '-T: -V',
    operands: 'text',
    handle: (call) =>
      call.rest.every(
        (a) =>
          a.literal !== null &&
          /^(?:cols|lines|colors|setaf|setab|sgr0|bold|dim|smul|rmul|rev|\d+|longname|el|ed|cup|sc|rc|civis|cnorm|bel)$/.test(
            a.literal,
          ),
      )
        ? undefined
        : call.unknown('tput with unrecognized arguments'),
  },
  {
    names: 'stty',
    handle: (call) =>
      call.rest.every((a) => /^(?:-a|-g|--all|size|speed)$/.test(a.literal ?? ''))
        ? undefined
        : call.unknown('stty changes the terminal'),
  },
  { names: 'clear', options: '-x', operands: 'none' },
  { names: 'mktemp', options: '-dqut -p: --directory --dry-run --quiet --suffix: --tmpdir?', handle: mktemp },
  { names: 'bc', options: '-lqswhviPR --mathlib --quiet --standard --warn --version --help', operands: 'read' },
  {
    names: 'dc',
    version: '--version -V',
    options: '-e: --expression:',
    handle: (call, t) => {
      const given = call.parse(t);
      call.accept(given);
      // After `a`, any character may follow, including an exclamation mark.
      const isPlain = given.options.every(({ value }) => /^[-+*/%^~|\d.\s_A-Fpfnvrdcki]*$/.test(value?.literal ?? '!'));
      if (given.options.length === 0 || given.operands.length > 0 || !isPlain) call.unknown('dc can run commands with !');
    },
    examples: {
      "dc -e '2 3 + p'": 'read-only',
      "dc -e '!ls'": 'unknown',
      "dc -e '[ls]x'": 'unknown',
      'dc -e 1 f': 'unknown',
      dc: 'unknown',
      'dc -f x': 'unknown',
    },
  },
  {
    names: 'sdiff',
    options:
      '-abBdEHilstWZ -w: -I: --suppress-common-lines --left-column --width: --ignore-case --ignore-all-space --ignore-blank-lines --text --expand-tabs',
    operands: 'read',
  },
  {
    names: 'colordiff',
    options: '-abBcdeEfHilnNpqrstTuvwyZ -C: -U: -W: -x: -I: --brief --recursive --unified? --color? --side-by-side',
    operands: 'read-within',
  },
  { names: 'iconv', options: '-f: -t: -c -l -s --from-code: --to-code: --list --silent --output:w -o:w', operands: 'read' },
  { names: 'getfacl lsattr namei', options: '-acdeEnpRlmoxvVL', operands: 'list' },
  {
    names: 'mount',
    operands: 'none',
    options: '-lv',
    handle: (call) => {
      if (call.rest.length === 0 || (call.rest.length === 1 && call.rest[0]!.literal === '-l')) return;
      call.unknown('mount changes the file system');
      // A bind mount makes the folder readable and writable at a second path.
      if (call.rest.some(({ literal }) => /^-\w*B|bind/.test(literal ?? '')))
        for (const word of call.rest)
          if (!word.lead.startsWith('-') && !/bind/.test(word.lead))
            call.write(word, 'mount --bind', { extent: 'deep', old: 'kept' });
    },
  },
  {
    names: 'scc',
    options: '-s: -f: -o:w -i: -p -w --sort: --format: --output:w --by-file --no-cocomo --exclude-dir: --include-ext:',
    operands: 'list',
    here: 'list',
    examples: { 'scc -f json': 'read-only', 'scc -o f': 'writes' },
  },
  {
    names: 'tokei loc',
    options: '-s: -t: -o: -e: --sort: --files -f --by-file --no-cocomo --exclude: --exclude-dir: --type: --hidden',
    operands: 'list',
    here: 'list',
  },
  {
    names: 'cloc',
    options:
      '--quiet --by-file --json --csv --md --exclude-dir: --include-lang: --exclude-lang: --not-match-d: --match-f: --hide-rate --skip-uniqueness',
    operands: 'list',
  },
  {
    names: 'shellcheck',
    options:
      '-axW -s: -f: -e: -S: -i: -o: -C? --shell: --format: --exclude: --severity: --include: --external-sources --color? --version -V --enable: --wiki-link-count:',
    // None of its options writes.
    traits: ['any-option'],
    operands: 'read',
  },
  {
    names: 'split csplit',
    version: '--help --version',
    options:
      '-l: -b: -n: -a: -d -x -e -u -C: -f: -k -q -s -z --lines: --bytes: --number: --suffix-length: --numeric-suffixes? --hex-suffixes? --additional-suffix: --elide-empty-files --unbuffered --line-bytes: --verbose --prefix: --digits: --quiet --keep-files',
    style: ['digits'],
    handle: split,
  },
  {
    names: 'kill pkill killall skill xkill renice',
    handle: kill,
    examples: {
      'kill %1': 'runs',
      'kill -9 $!': 'runs',
      'a & p=$!; kill "$p"': 'unknown',
      'kill $p': 'unknown',
      'kill %x': 'unknown',
      'kill -l': 'read-only',
      'kill -0 12 34': 'read-only',
      'kill -0 12 -9 34': 'unknown',
      'killall -0 12': 'unknown',
    },
  },
  { names: 'ldd', version: '--version', handle: (call) => call.unknown('ldd may run the program that it examines') },
  {
    names:
      'cd-hit logger wall write mail sendmail shutdown reboot poweroff halt newgrp open xdg-open pbcopy xclip xsel say notify-send umount useradd userdel passwd chsh visudo iptables nft ufw modprobe insmod rmmod mkfs fdisk parted losetup swapon swapoff fallocate sponge rename mmv convert mogrify age sops security hdiutil setfacl chattr chflags ditto watchman inotifywait fswatch',
    version: '-version=convert,mogrify',
    handle: (call) => call.unknown(`${call.name} is not understood`),
    examples: { 'convert -version': 'read-only', 'convert a.png b.jpg': 'unknown', 'rename -version': 'unknown' },
  },
];

/** With signal 0, kill only checks if the processes exist. */
function kill(call: CommandCall) {
  const [first, ...rest] = call.rest;
  const tells = /^-(?:l|L|-list|-table)$/.test(first?.literal ?? '') && rest.length <= 1;
  const asks = call.name === 'kill' && first?.literal === '-0' && rest.every((a) => a.int || /^\d+$/.test(a.literal ?? ''));
  // Jobs that this text started.
  const own = call.rest.filter((a) => !/^-[A-Z\d]+$/.test(a.literal ?? ''));
  const endsOwn =
    call.name === 'kill' && own.length > 0 && own.every((a) => /^%\d+$/.test(a.literal ?? '') || a.shape?.kind === 'job');
  if (endsOwn) call.is('runs', 'kill ends a job that this text started');
  else if (!tells && !asks) call.unknown(`${call.name} ends or changes processes`);
}

function split(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['digits']);
  call.accept(given);
  const input = given.operands[0];
  if (input && input.literal !== '-') call.read(input, call.name);
  if (input?.several) call.unknown(`the names of the output files of ${call.name} are unknown`, input);
  const prefix =
    call.name === 'split'
      ? given.operands[1]
        ? given.operands[1].literal
        : 'x'
      : given.options.some((o) => o.name === 'f' || o.name === 'prefix')
        ? option(given, 'f', 'prefix')!.value!.literal
        : 'xx';
  const at = given.operands[call.name === 'split' ? 1 : 0] ?? call.args[0]!;
  if (prefix === null || given.options.some((o) => o.name === 'additional-suffix' && o.value?.literal == null))
    call.unknown(`the names of the output files of ${call.name} are unknown`, at);
  else if (call.name === 'csplit' && given.options.some((o) => o.name === 'b' && !/^[^/]*$/.test(o.value?.literal ?? '/')))
    call.unknown('the ending of the names may lead to another folder', at);
  else call.write(at.globbed(`${prefix}*`), call.name, { why: `${call.name} writes pieces of its input` });
}
