// Programs that communicate with other hosts.

import type { Arg } from '../arg.ts';
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { hostOf } from '../hosts.ts';
import { type Given, has, type OptionTable, option } from '../options.ts';
import { CURL, curl, OVERRIDES, url } from './curl.ts';
import { followsLinks } from './links.ts';
import { sentFiles } from './verbs.ts';

function wget(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.roles(given);
  if (has(given, 'V', 'version', 'h', 'help')) return;
  call.network();
  if (has(given, 'b', 'background') && !has(given, 'o', 'a', 'output-file', 'append-output'))
    call.write(call.args[0]!.globbed('wget-log*').at(call.args[0]!), 'wget -b', { why: 'wget -b writes a log' });
  const warc = option(given, 'warc-file');
  if (warc) call.unknown('the names of the archives of wget are unknown', warc.arg);
  for (const o of given.options)
    if (/^(?:U|user-agent|header|referer|user|password)$/.test(o.name) && o.value?.literal == null)
      call.carries(`the data that wget ${o.flag} sends is unknown and`, o.arg);
  for (const o of given.options)
    if (OVERRIDES.test(o.value?.literal ?? '')) call.unknown(`wget ${o.flag} uses another HTTP method`, o.arg);
  for (const o of given.options)
    if (/^(?:post-data|post-file|body-data|body-file|method)$/.test(o.name))
      call.unknown(`wget ${o.flag} sends data to a server`, o.arg);
  for (const u of given.operands) url(call, u);
  const recursive = has(given, 'r', 'm', 'recursive', 'mirror');
  // A recursive run stores pages in folders temporarily, even with --spider.
  const out = option(given, 'O', 'output-document');
  if (has(given, 'i', 'input-file')) call.unknown('wget reads addresses from a file');
  // The file of -O is created even with --spider.
  if (has(given, 'spider') && !recursive && !out) return;
  if (out?.value) {
    if (out.value.literal !== '-') call.write(out.value, 'wget -O', { why: 'wget -O writes to a file' });
    return;
  }
  const folder = option(given, 'P', 'directory-prefix');
  const here = call.args[0]!.as('.').at(call.args[0]!);
  if (
    recursive ||
    has(given, 'p', 'x', 'page-requisites', 'force-directories', 'content-disposition', 'trust-server-names') ||
    folder
  ) {
    if (!folder) call.write(here, 'wget', { extent: 'deep', old: 'untouched', why: 'wget writes the files that it fetches' });
    return;
  }
  for (const u of given.operands) {
    const name =
      u.literal
        ?.replace(/^(?:[a-z]+:\/\/)?[^/?#]*/i, '')
        .replace(/#.*$/s, '')
        .replace(/^.*\//, '') || 'index.html';
    if (u.literal === null) continue;
    // Other characters are decoded or replaced, `-E` adds an extension, and `host:file` means FTP.
    if (
      !/^[\w.~-]+$/.test(name) ||
      /^[^/]*:(?!\/\/|\d+(?:\/|$))/.test(u.literal) ||
      u.literal.includes('?') ||
      has(given, 'E', 'adjust-extension')
    ) {
      call.unknown('the name of the output file of wget is unknown', u);
      continue;
    }
    call.write(u.as(name), 'wget', { why: 'wget writes the files that it fetches' });
    // If the name exists, wget adds a number.
    call.write(u.globbed(`${name}.*`), 'wget', { why: 'wget writes the files that it fetches' });
  }
}

/** For the first group, every word is a host name. For the second, only the first word is. */
const HOSTS = /^(?:ping6?|ssh-keyscan|mtr)$/;
const HOST_FIRST = /^(?:nc|ncat|netcat|traceroute|tracepath|host|nslookup)$/;

/** Programs that only look up a name or test a connection. The name itself is sent, so it must be known. */
function lookup(call: CommandCall, t: OptionTable) {
  // An option with a value in one of these programs is a switch in another.
  const given = call.parse(t, ['strict-values']);
  call.accept(given);
  call.network();
  if (call.name === 'nslookup' && (given.operands.length === 0 || given.operands[0]!.literal === '-'))
    call.unknown('nslookup looks up the names on its standard input');
  const isHost = (word: string, at: number) =>
    /^@?[\w.:%-]+$/.test(word) && (/^@|\.|:.*:/.test(word) || HOSTS.test(call.name) || (at === 0 && HOST_FIRST.test(call.name)));
  given.operands.forEach((o, at) => {
    if (o.literal === null) call.carries('the name that is looked up', o);
    else if (isHost(o.literal, at)) call.network(o.literal.replace(/^@/, ''));
  });
  const server = call.name === 'whois' ? option(given, 'h')?.value?.literal : null;
  if (server) call.network(server);
  for (const { value, flag } of given.options)
    if (value && value.literal === null && !value.int) call.carries(`${call.name} ${flag}`, value);
}

function rsync(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.roles(given);
  const remote = given.operands.find((o) => o.literal === null || /^[^/]*:/.test(o.literal));
  if (remote) {
    call.network(remote.literal ? hostOf(remote.literal) : null);
    call.unknown('rsync connects to another host', remote);
  }
  if (has(given, 'n', 'dry-run', 'list-only') || given.operands.length < 2) {
    for (const o of given.operands) if (o !== remote) call.read(o, 'rsync', { what: 'names', extent: 'deep' });
    return;
  }
  const dest = given.operands[given.operands.length - 1]!;
  // The paths of these options are relative to the last operand.
  const apart = given.options.find(
    (o) => /^(?:backup-dir|temp-dir|T|partial-dir)$/.test(o.name) && !/^\//.test(o.value?.lead ?? ''),
  );
  if (apart) call.unknown(`the folder of rsync ${apart.flag} is unknown`, apart.arg);
  for (const s of given.operands.slice(0, -1)) {
    call.read(s, 'rsync', { extent: 'deep', follows: followsLinks('rsync', given) });
    if (has(given, 'remove-source-files')) call.write(s, 'rsync --remove-source-files', { extent: 'deep' });
  }
  if (has(given, 'mkpath')) call.writeIntermediateFolders(dest, 'rsync --mkpath');
  const removes = given.options.some(({ name }) => name.startsWith('del'));
  const links = has(given, 'a', 'l', 'archive', 'links') && !has(given, 'L', 'copy-links') ? 'sources' : undefined;
  call.write(dest, 'rsync', {
    extent: 'deep',
    old: removes ? undefined : 'untouched',
    links,
    why: 'rsync writes its last operand',
  });
  for (const { name, value, arg } of given.options) if (name === 'link-dest') linksTo(call, value ?? arg, dest);
  const backupSuffix = backupOf(given);
  if (backupSuffix === null) call.unknown('the name of the backup of rsync is unknown', option(given, 'suffix')!.arg);
  else if (backupSuffix !== '' && dest.literal !== null) call.write(dest.as(dest.literal + backupSuffix), 'rsync --backup');
  // The written names differ from those of the sources.
  const renames = given.options.find(({ name }) => /^(?:R|relative|files-from|b|backup|suffix)$/.test(name));
  if (renames) call.write(dest, `rsync ${renames.flag}`, { extent: 'deep', old: 'untouched' });
  for (const s of given.operands.slice(0, -1)) call.aliasAt(dest, s, 'copy');
}

/** Danger: a copied file that equals one below `folder` becomes a hard link to it. A relative folder is below the destination. */
function linksTo(call: CommandCall, folder: Arg, dest: Arg) {
  const text = folder.literal;
  const isRelative = text === null || !text.startsWith('/');
  if (isRelative && (text === null || dest.literal === null))
    return call.unknown('the folder of rsync --link-dest is unknown', folder);
  call.write(isRelative ? dest.as(`${dest.literal}/${text}`) : folder, 'rsync --link-dest', {
    extent: 'deep',
    old: 'kept',
    why: 'rsync --link-dest gives files a second name, and a write to that name changes the file',
  });
}

/**
 * The suffix that a backup adds to the name of an overwritten file. Empty if no backup is stored next to it, null if the suffix
 * is not known.
 */
function backupOf(given: Given): string | null {
  if (!has(given, 'b', 'backup') || has(given, 'backup-dir')) return '';
  const suffix = option(given, 'suffix');
  return suffix ? (suffix.value?.literal ?? null) : '~';
}

/** The first word after the options is the host. */
const away = (text: string) => (call: CommandCall, t: OptionTable) => {
  call.network();
  call.unknown(`${call.name} ${text}`);
  const { operands, problem } = call.parse(t);
  // An unknown option may have taken the first word.
  for (const host of problem ? operands : operands.slice(0, 1))
    if (host.literal && !/^\d+$/.test(host.literal)) call.network(hostOf(host.literal));
};

/** All words except the last are files that are sent, or files on a host. */
function copies(call: CommandCall, t: OptionTable) {
  call.network();
  call.unknown(`${call.name} connects to another host`);
  const { operands } = call.parse(t);
  if (/^r?cp$|^scp$/.test(call.name))
    for (const o of operands) if (/^[^/]+:/.test(o.literal ?? '')) call.network(hostOf(o.literal!));
  sentFiles(call, operands);
}

/** With -z it only checks if the port is open. */
function nc(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  if (!has(given, 'z') || given.problem || given.flaggy) return away('opens a connection that may send anything')(call, t);
  lookup(call, t);
}

export const network: CommandEntry[] = [
  {
    names: 'curl',
    options: CURL,
    handle: curl,
    examples: {
      'curl -s https://example.invalid/api': 'read-only',
      'curl -sSfL https://a.b -o f': 'writes',
      'curl -sK f': 'unknown',
      'curl -G https://a.b --next -d a=b https://a.b': 'unknown',
      'curl --output-dir d -o f https://a.b --next -o g https://a.b': 'unknown',
      'curl -X DELETE https://a.b': 'unknown',
      'curl "https://a.b/$(cat x)"': 'unknown',
      'curl -O https://a.b/c.tgz': 'writes',
    },
  },
  {
    names: 'wget',
    options:
      '-qvSNcrmpxknHEbdVhF46 -O: -o:w -a:w -P:d -i:r -T: -t: -w: -U: -l: -A: -R: -D: -I: -X: -e:x -B: --quiet --verbose --no-verbose --server-response --timestamping --continue --recursive --mirror --page-requisites --force-directories --convert-links --no-parent --span-hosts --adjust-extension --background --output-document: --output-file:w --append-output:w --directory-prefix:d --input-file:r --timeout: --tries: --wait: --random-wait --user-agent: --level: --accept: --reject: --domains: --header: --spider --no-check-certificate --ca-certificate:r --max-redirect: --content-disposition --trust-server-names --show-progress --no-clobber --limit-rate: --connect-timeout: --read-timeout: --dns-timeout: --user: --password: --no-cache --no-cookies --load-cookies:r --save-cookies:w --post-data: --post-file:r --body-data: --body-file:r --method: --warc-file:w --rejected-log:w --no-hsts --hsts-file:w --https-only --inet4-only --inet6-only --version --help --progress: --retry-connrefused --no-directories --cut-dirs: --no-host-directories --ignore-length --referer: --compression: --no-proxy --no-dns-cache --no-netrc',
    handle: wget,
    examples: {
      'wget -qO- https://a.b/c': 'read-only',
      'wget https://a.b/c': 'writes',
      'wget a.b:c': 'unknown',
      'wget --spider https://a.b': 'read-only',
      'wget --spider -r https://a.b': 'writes',
      'wget --use-askpass=x https://a.b': 'unknown',
    },
  },
  {
    names: 'ping ping6',
    options: '-46abdDfhLnOqrRUvVB -c: -i: -I: -l: -m: -M: -p: -Q: -s: -S: -t: -T: -w: -W:',
    handle: lookup,
    examples: {
      'ping -c1 example.invalid': 'read-only',
      'ping -p "$(xxd -p f)" h': 'unknown',
      'ping -c1 $(hostname).x.invalid': 'unknown',
    },
  },
  {
    names: 'dig nslookup host whois traceroute tracepath mtr',
    options: '-46aCdilNrsTUvVwnx -t: -c: -p: -h: -q: -R: -W: -k! -f!',
    handle: lookup,
    examples: {
      'dig -t mx example.invalid': 'read-only',
      'mtr -t -F .env': 'unknown',
      'mtr -r -c 1 -p -F .env': 'unknown',
    },
  },
  {
    // -s is not listed, because its value is a library to load.
    names: 'getent',
    version: '-V --version -? --help --usage',
    options: '-Ai --no-addrconfig --no-idn',
    handle: lookup,
    examples: {
      'getent hosts example.invalid': 'read-only',
      'getent passwd root': 'read-only',
      'getent -s ./x passwd': 'unknown',
      'getent -is./x passwd': 'unknown',
      'getent --service=./x passwd': 'unknown',
      'getent hosts "$(cat x).a"': 'unknown',
    },
  },
  {
    // -w and -q are not listed, because they store packets in files.
    names: 'drill',
    options: '-46aDSTtuQxv -p: -b: -V:',
    handle: lookup,
    examples: { 'drill example.invalid': 'read-only', 'drill -w f example.invalid': 'unknown' },
  },
  {
    names: 'nc ncat netcat',
    options: '-znv46 -w: -G:',
    handle: nc,
    examples: {
      'nc -zv -w 2 localhost 3000': 'read-only',
      'nc localhost 3000': 'unknown',
      'nc -z -e x localhost 3000': 'unknown',
      'nc -zu localhost 53': 'unknown',
      'nc -z "$(cat x).a.invalid" 80': 'unknown',
      'nc -z $x 80': 'unknown',
    },
  },
  {
    names: 'ssh-keyscan',
    options: '-46cHqv -p: -t: -T:',
    handle: lookup,
    examples: {
      'ssh-keyscan -t ed25519 a.invalid': 'read-only',
      'ssh-keyscan -f x': 'unknown',
      'ssh-keyscan "$(cat x).a"': 'unknown',
    },
  },
  {
    names: 'telnet ftp sftp tftp lftp',
    options: '-46aCfNpqrv -b: -B: -c: -D: -F: -i: -J: -l: -o: -P: -R: -S: -s: -u: -e:',
    handle: away('opens a connection that may send anything'),
  },
  {
    names: 'scp rcp rclone s3cmd',
    version: '--version',
    options: '-346ABCOpqRrTv -c: -D: -F: -i: -J: -l: -o: -P: -S: -X:',
    handle: copies,
    examples: { 'scp a host:b': 'unknown' },
  },
  {
    names: 'mosh ssh-copy-id sshfs',
    version: '--version',
    options: '-fns -F: -i: -p: -o: -t:',
    handle: away('connects to another host'),
  },
  {
    names: 'rsync',
    version: '--version',
    options:
      '-avzrnulpogtDhHqPcxCAXEiWSKkLbRJOIsm -e:x -f: -B: --archive --verbose --recursive --dry-run --update --links --perms --owner --group --times --compress --human-readable --hard-links --quiet --progress --partial --checksum --one-file-system --cvs-exclude --delete --delete-before --delete-after --delete-during --delete-excluded --delete-delay --exclude: --include: --exclude-from:r --include-from:r --files-from:n --filter: --stats --itemize-changes --list-only --size-only --ignore-existing --existing --max-size: --min-size: --inplace --append --mkpath --copy-links --safe-links --relative --no-relative --no-perms --no-owner --no-group --no-times --omit-dir-times --remove-source-files --timeout: --bwlimit: --info: --out-format: --force --prune-empty-dirs --chmod: --numeric-ids --whole-file --sparse --backup --suffix: --backup-dir:d --temp-dir:d --partial-dir:d --log-file:w --link-dest:l --copy-dest:l --compare-dest:l --ignore-errors',
    handle: rsync,
  },
];
