// Programs that talk to other hosts.

import type { Arg } from '../arg.ts';
import type { Call } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { hostOf, hostOfAuthority } from '../hosts.ts';
import { type Given, type GivenOption, has, type OptionTable, option } from '../options.ts';
import { sentFiles } from './verbs.ts';

const CURL =
  '-sSfLIigGkvnN01246JjOqRaBplM#Z -o:w -D:w -c:w -b: -A: -e: -H: -u: -U: -x:h -m: -r: -w: -X: -y: -Y: -z: -E: -C: -t: -T: -d: -F: -K:x -P:x -Q:x --silent --show-error --fail --fail-with-body --fail-early --location --location-trusted --head --include --get --globoff --insecure --verbose --netrc --netrc-optional --netrc-file:r --no-buffer --buffer --http0.9 --http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --sslv2 --sslv3 --ssl --ssl-reqd --ssl-no-revoke --ipv4 --ipv6 --remote-name --remote-header-name --remote-name-all --remote-time --disable --compressed --compressed-ssh --raw --tr-encoding --output:w --output-dir: --create-dirs --dump-header:w --cookie-jar:w --cookie: --user-agent: --referer: --header: --user: --oauth2-bearer: --basic --digest --ntlm --negotiate --anyauth --proxy:h --proxy-user: --noproxy: --proxy-insecure --preproxy:h --socks5:h --socks5-hostname:h --max-time: --connect-timeout: --expect100-timeout: --keepalive-time: --no-keepalive --range: --write-out: --request: --speed-limit: --speed-time: --limit-rate: --rate: --time-cond: --retry: --retry-delay: --retry-max-time: --retry-connrefused --retry-all-errors --max-redirs: --max-filesize: --cert: --key:r --cacert:r --capath:l --cert-type: --key-type: --pass: --pinnedpubkey: --ciphers: --tls-max: --crlfile:r --resolve: --connect-to: --interface: --local-port: --dns-servers: --unix-socket: --abstract-unix-socket: --url: --data: --data-raw: --data-binary: --data-urlencode: --data-ascii: --json: --form: --form-string: --upload-file: --url-query: --etag-save:w --etag-compare: --hsts:w --alt-svc:w --libcurl:w --trace:w --trace-ascii:w --trace-time --trace-ids --stderr:w --config:x --proto: --proto-default: --proto-redir: --progress-bar --progress-meter --no-progress-meter --parallel --parallel-immediate --parallel-max: --path-as-is --post301 --post302 --post303 --tcp-nodelay --tcp-fastopen --next --version -V --help -h --list-only --ftp-pasv --disable-epsv --xattr --ignore-content-length --no-location --no-alpn --no-npn --no-sessionid --styled-output --no-styled-output --suppress-connect-headers --disallow-username-in-url --remove-on-error --no-clobber --skip-existing --out-null --engine:x --ftp-port:x --quote:x --mail-from:x --doh-url:h';

const SENDS = /^(?:d|data|data-raw|data-binary|data-urlencode|data-ascii|json|F|form|form-string|T|upload-file)$/;

/** Options whose value names a file that is sent or looked into, and how. */
const FILES: [options: RegExp, named: RegExp][] = [
  [/^(?:d|data|data-binary|data-ascii|json|H|header|b|cookie|proxy-header)$/, /^@(.*)$/s],
  [/^(?:data-urlencode|url-query)$/, /^[^=@]*@(.*)$/s],
  [/^(?:F|form)$/, /^[^=]*=[@<]"?([^;"]*)/s],
  [/^(?:T|upload-file|K|config|etag-compare)$/, /^(?![-.]$)(.*)$/s],
];

/** What it keeps of hosts goes to a file, even if that is called `-`. */
const KEPT = /^(?:hsts|alt-svc)$/;

/** Options that send text along with a plain request. */
const TELLS =
  /^(?:H|A|e|b|u|U|header|user-agent|referer|cookie|user|proxy-user|oauth2-bearer|url-query|d|data|data-raw|data-urlencode|range|r)$/;

/** Headers by which some servers take a request for one of another method. */
export const OVERRIDES = /^x-(?:http-)?method(?:-override)?\b/i;

function curl(call: Call, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  const folder = option(given, 'output-dir');
  if (has(given, 'create-dirs'))
    for (const o of given.options) if (o.spec.role === 'w' || o === folder) call.foldersOnTheWay(o.value!, 'curl --create-dirs');
  // Names of outputs count from the folder; `-` is standard output.
  const isOutput = (o: GivenOption) => o.name === 'o' || o.name === 'output';
  call.roles({
    ...given,
    options: given.options.filter(
      (o) => o.spec.role !== 'w' || !((o.value?.literal === '-' && !KEPT.test(o.name)) || (folder && isOutput(o))),
    ),
  });
  if (folder) {
    const leaves = given.options.find((o) => isOutput(o) && !/^(?!.*\.\.)/s.test(o.value?.literal ?? '..'));
    if (folder.value?.literal == null || leaves) call.unknown('where curl writes is not known', (leaves ?? folder).arg);
    else call.write(folder.value, 'curl --output-dir', { deep: true, arrives: true });
  }
  if (has(given, 'V', 'version', 'h', 'help')) return;
  call.network();
  const urls = [...given.operands, ...given.options.filter((o) => o.name === 'url').map((o) => o.value!)];
  // Behind --next most options begin anew.
  const isOne = !has(given, 'next');
  if (folder && !isOne) call.unknown('where curl writes behind --next is not known', folder.arg);
  const get = has(given, 'G', 'get') && isOne;
  for (const o of given.options) {
    const file = FILES.find(([names]) => names.test(o.name))?.[1].exec(o.value?.literal ?? '');
    // A form may take several, with commas between them.
    for (const name of new Set([file?.[1] ?? '', ...(file?.[1]?.split(',') ?? [])]))
      if (name) call.read(o.value!.as(name), 'curl');
    if (SENDS.test(o.name) && (!get || !/^(?:d|data)/.test(o.name))) call.unknown(`curl ${o.flag} sends data to a server`, o.arg);
    else if (file) call.unknown(`curl ${o.flag} sends what a file holds`, o.arg);
    else if ((o.name === 'b' || o.name === 'cookie') && o.value?.literal && !o.value.literal.includes('='))
      call.read(o.value, 'curl');
    if ((o.name === 'X' || o.name === 'request') && !/^(?:GET|HEAD|OPTIONS|get|head|options)$/.test(o.value?.literal ?? ''))
      call.unknown(`curl ${o.flag} ${o.value?.text ?? ''} may change something on a server`, o.arg);
    if (TELLS.test(o.name) && o.value && o.value.literal === null)
      call.unknown(`what curl ${o.flag} tells the server is not known and may carry data away`, o.arg);
    if ((o.name === 'w' || o.name === 'write-out') && (o.value?.literal == null || /%output|^@/.test(o.value.literal)))
      call.unknown('the text of curl -w may name a file to be written', o.arg);
    if (o.name === 'url' && o.value?.lead.startsWith('@')) call.unknown('curl takes addresses from a file', o.arg);
    if (o.name === 'proto-default' && !/^https?$/.test(o.value?.literal ?? ''))
      call.unknown('what an address without a scheme means to curl is not known', o.arg);
    if (OVERRIDES.test(o.value?.literal ?? '')) call.unknown(`curl ${o.flag} asks the server for another method`, o.arg);
    if (/^(?:E|cert|key)$/.test(o.name) && /^pkcs11:/i.test(o.value?.lead ?? ''))
      call.unknown(`curl ${o.flag} may load a library`, o.arg);
    // A password may stand behind it.
    if (o.name === 'E' || o.name === 'cert')
      for (const name of new Set([o.value!.literal ?? '', /^(?:[^:\\]|\\.)*/s.exec(o.value!.literal ?? '')![0]]))
        if (name !== '') call.read(o.value!.as(name.replace(/\\(?=[:\\])/g, '')), 'curl');
    if ((o.name === 'unix-socket' || o.name === 'abstract-unix-socket') && o.value?.literal == null)
      call.unknown('which socket is asked is not known', o.arg);
  }
  for (const u of urls) url(call, u);
  for (const { name, value } of given.options) for (const host of elsewhere(name, value?.literal ?? '')) call.network(host);
  if (has(given, 'O', 'remote-name', 'remote-name-all')) {
    if (has(given, 'J', 'remote-header-name') || folder) call.unknown('under which name curl writes is decided by the server');
    for (const u of urls) {
      if (u.literal === null || u.pattern || /[{}[\]]|\/\.\.?(?:[/?#]|$)/.test(u.literal))
        call.unknown('under which name curl writes is not known', u);
      else for (const name of namesOf(u.literal)) call.write(u.as(name), 'curl -O', { why: 'curl -O writes to a file' });
    }
  }
  const kept = option(given, 'no-clobber');
  if (kept && given.options.some((o) => isOutput(o) || /^(?:O|remote-name(?:-all)?)$/.test(o.name)))
    call.unknown('a name that is taken gets a number from curl --no-clobber', kept.arg);
  // `#1` in an output name stands for parts of the URL.
  for (const o of given.options)
    if ((o.name === 'o' || o.name === 'output') && o.value?.literal?.includes('#'))
      call.unknown('the output name of curl is made from the URL', o.arg);
}

/** Names under which `curl -O` keeps an address: of its path, and for older versions of all of it. */
function namesOf(address: string): string[] {
  const rest = address.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  const path = rest.replace(/[?#].*$/s, '').replace(/^[^/]*/, '');
  const name = path.replace(/(?<!\/)\/+$/, '').replace(/^.*\//, '') || 'curl_response';
  const whole = rest.replace(/^.*\//s, '');
  return /[?#]/.test(rest) && rest.includes('/') && whole !== '' ? [name, whole] : [name];
}

/** Hosts that an option of curl puts in place of those of the address, or asks where they are. */
function elsewhere(name: string, value: string): string[] {
  const [host, port] = ['(?:\\[[^\\]]*\\]|[^:]*)', '[^:]*'];
  switch (name) {
    case 'connect-to':
      return new RegExp(`^${host}:${port}:(${host})(?::|$)`).exec(value)?.slice(1).filter(Boolean) ?? [];
    case 'resolve':
      return new RegExp(`^[+]?${host}:${port}:(.*)$`).exec(value)?.[1]?.split(',') ?? [];
    case 'dns-servers':
      return value.split(',').map((server) => server.replace(/^([^:]*):\d+$/, '$1'));
    default:
      return [];
  }
}

function url(call: Call, arg: Arg) {
  const text = arg.literal ?? null;
  if (text === null) {
    call.unknown('the address is not known and may carry data away', arg);
    const m = /^[a-z]+:\/\/[^/?#]+\//i.exec(arg.lead);
    if (m) call.network(hostOf(m[0]));
    return;
  }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\/|^(file):\//i.exec(text)?.slice(1).find(Boolean)?.toLowerCase() ?? 'http';
  if (scheme === 'file') return fileOf(call, arg, text);
  if (!/^(?:https?|ftps?|wss?)$/.test(scheme)) return call.unknown(`${scheme}:// is not known`, arg);
  const authority = text.replace(/^[^/]*\/\//, '').replace(/[/?#].*$/s, '');
  // An IPv6 address stands in brackets.
  if (/[{}[\]]/.test(authority.replace(/\[[\da-f:.]+\](?=:\d+$|$)/i, '')))
    return call.unknown('the address stands for several hosts', arg);
  call.network(hostOfAuthority(authority));
}

/** The file of an address: without a question and a mark, with `%41` for a character; curl puts several addresses for braces and brackets. */
function fileOf(call: Call, arg: Arg, address: string) {
  const path = address.replace(/^file:(?:\/\/[^/]*)?/i, '').replace(/[?#].*$/s, '');
  const plain = path.replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());
  const open = plain.search(/[{[]/);
  call.read(arg.as(plain), 'curl');
  if (open !== -1) call.read(arg.as(plain.slice(0, plain.lastIndexOf('/', open) + 1)), 'curl', { deep: true });
}

function wget(call: Call, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.roles(given);
  if (has(given, 'V', 'version', 'h', 'help')) return;
  call.network();
  if (has(given, 'b', 'background') && !has(given, 'o', 'a', 'output-file', 'append-output'))
    call.write(call.args[0]!.globbed('wget-log*').at(call.args[0]!), 'wget -b', { why: 'wget -b writes a log' });
  const warc = option(given, 'warc-file');
  if (warc) call.unknown('under which names wget writes its archive is not known', warc.arg);
  for (const o of given.options)
    if (/^(?:U|user-agent|header|referer|user|password)$/.test(o.name) && o.value?.literal == null)
      call.unknown(`what wget ${o.flag} tells the server is not known and may carry data away`, o.arg);
  for (const o of given.options)
    if (OVERRIDES.test(o.value?.literal ?? '')) call.unknown(`wget ${o.flag} asks the server for another method`, o.arg);
  for (const o of given.options)
    if (/^(?:post-data|post-file|body-data|body-file|method)$/.test(o.name))
      call.unknown(`wget ${o.flag} sends data to a server`, o.arg);
  for (const u of given.operands) url(call, u);
  const recursive = has(given, 'r', 'm', 'recursive', 'mirror');
  // Recursive, what it looked at lies in folders for a moment.
  const out = option(given, 'O', 'output-document');
  if (has(given, 'i', 'input-file')) call.unknown('wget takes addresses from a file');
  // The file of -O is made all the same.
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
    if (!folder) call.write(here, 'wget', { deep: true, arrives: true, why: 'wget writes what it fetches' });
    return;
  }
  for (const u of given.operands) {
    const name =
      u.literal
        ?.replace(/^(?:[a-z]+:\/\/)?[^/?#]*/i, '')
        .replace(/#.*$/s, '')
        .replace(/^.*\//, '') || 'index.html';
    if (u.literal === null) continue;
    // Other characters are decoded or replaced, `-E` adds an ending, and `host:file` means FTP.
    if (
      !/^[\w.~-]+$/.test(name) ||
      /^[^/]*:(?!\/\/|\d+(?:\/|$))/.test(u.literal) ||
      u.literal.includes('?') ||
      has(given, 'E', 'adjust-extension')
    ) {
      call.unknown('under which name wget writes is not known', u);
      continue;
    }
    call.write(u.as(name), 'wget', { why: 'wget writes what it fetches' });
    // A name that is taken gets a number.
    call.write(u.globbed(`${name}.*`), 'wget', { why: 'wget writes what it fetches' });
  }
}

/** Of these every word is the name of a host, or the first one. */
const HOSTS = /^(?:ping6?|ssh-keyscan|mtr)$/;
const HOST_FIRST = /^(?:nc|ncat|netcat|traceroute|tracepath|host|nslookup)$/;

/** Programs that only look a name up or knock: the name itself travels, so it must be known. */
function lookup(call: Call, t: OptionTable) {
  // What takes a value for one of these programs is a switch of another.
  const given = call.parse(t, { wary: true });
  call.accept(given);
  call.network();
  if (call.name === 'nslookup' && (given.operands.length === 0 || given.operands[0]!.literal === '-'))
    call.unknown('nslookup asks for what comes on its standard input');
  const isHost = (word: string, at: number) =>
    /^@?[\w.:%-]+$/.test(word) && (/^@|\.|:.*:/.test(word) || HOSTS.test(call.name) || (at === 0 && HOST_FIRST.test(call.name)));
  given.operands.forEach((o, at) => {
    if (o.literal === null) call.unknown('the name that is asked for may carry data away', o);
    else if (isHost(o.literal, at)) call.network(o.literal.replace(/^@/, ''));
  });
  const server = call.name === 'whois' ? option(given, 'h')?.value?.literal : null;
  if (server) call.network(server);
  for (const { value, flag } of given.options)
    if (value && value.literal === null && !value.int) call.unknown(`${call.name} ${flag} may carry data away`, value);
}

function rsync(call: Call, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.roles(given);
  const remote = given.operands.find((o) => o.literal === null || /^[^/]*:/.test(o.literal));
  if (remote) {
    call.network(remote.literal ? hostOf(remote.literal) : null);
    call.unknown('rsync talks to another host', remote);
  }
  if (has(given, 'n', 'dry-run', 'list-only') || given.operands.length < 2) {
    for (const o of given.operands) if (o !== remote) call.read(o, 'rsync', { listing: true, deep: true });
    return;
  }
  const dest = given.operands[given.operands.length - 1]!;
  // Names of these count from the last operand.
  const apart = given.options.find(
    (o) => /^(?:backup-dir|temp-dir|T|partial-dir)$/.test(o.name) && !/^\//.test(o.value?.lead ?? ''),
  );
  if (apart) call.unknown(`where rsync ${apart.flag} puts files is not known`, apart.arg);
  for (const s of given.operands.slice(0, -1)) {
    call.read(s, 'rsync', { deep: true });
    if (has(given, 'remove-source-files')) call.write(s, 'rsync --remove-source-files', { deep: true });
  }
  if (has(given, 'mkpath')) call.foldersOnTheWay(dest, 'rsync --mkpath');
  const removes = given.options.some(({ name }) => name.startsWith('del'));
  call.write(dest, 'rsync', { deep: true, arrives: !removes, why: 'rsync writes its last operand' });
  const kept = backupOf(given);
  if (kept === null) call.unknown('under which name rsync keeps a backup is not known', option(given, 'suffix')!.arg);
  else if (kept !== '' && dest.literal !== null) call.write(dest.as(dest.literal + kept), 'rsync --backup');
  // Other names than those of the sources.
  const renames = given.options.find(({ name }) => /^(?:R|relative|files-from|b|backup|suffix)$/.test(name));
  if (renames) call.write(dest, `rsync ${renames.flag}`, { deep: true, arrives: true });
  for (const s of given.operands.slice(0, -1)) call.aliasAt(dest, s, 'copy');
}

/** What a backup adds to the name of a file that is written over: empty where none is kept beside it, null where nobody knows. */
function backupOf(given: Given): string | null {
  if (!has(given, 'b', 'backup') || has(given, 'backup-dir')) return '';
  const suffix = option(given, 'suffix');
  return suffix ? (suffix.value?.literal ?? null) : '~';
}

/** The first word behind the options is the host. */
const away = (text: string) => (call: Call, t: OptionTable) => {
  call.network();
  call.unknown(`${call.name} ${text}`);
  const { operands, problem } = call.parse(t);
  // An option that is not known may have taken the first word.
  for (const host of problem ? operands : operands.slice(0, 1))
    if (host.literal && !/^\d+$/.test(host.literal)) call.network(hostOf(host.literal));
};

/** All words but the last are files that go away, or files of a host. */
function copies(call: Call, t: OptionTable) {
  call.network();
  call.unknown(`${call.name} talks to another host`);
  const { operands } = call.parse(t);
  if (/^r?cp$|^scp$/.test(call.name))
    for (const o of operands) if (/^[^/]+:/.test(o.literal ?? '')) call.network(hostOf(o.literal!));
  sentFiles(call, operands);
}

/** With -z it only looks whether somebody listens. */
function nc(call: Call, t: OptionTable) {
  const given = call.parse(t);
  if (!has(given, 'z') || given.problem || given.flaggy) return away('opens a connection in which anything may be sent')(call, t);
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
    // What -s names is a library that it loads.
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
    // With -w and -q it keeps packets in files.
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
    handle: away('opens a connection in which anything may be sent'),
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
    handle: away('talks to another host'),
  },
  {
    names: 'rsync',
    version: '--version',
    options:
      '-avzrnulpogtDhHqPcxCAXEiWSKkLbRJOIsm -e:x -f: -B: --archive --verbose --recursive --dry-run --update --links --perms --owner --group --times --compress --human-readable --hard-links --quiet --progress --partial --checksum --one-file-system --cvs-exclude --delete --delete-before --delete-after --delete-during --delete-excluded --delete-delay --exclude: --include: --exclude-from:r --include-from:r --files-from:r --filter: --stats --itemize-changes --list-only --size-only --ignore-existing --existing --max-size: --min-size: --inplace --append --mkpath --copy-links --safe-links --relative --no-relative --no-perms --no-owner --no-group --no-times --omit-dir-times --remove-source-files --timeout: --bwlimit: --info: --out-format: --force --prune-empty-dirs --chmod: --numeric-ids --whole-file --sparse --backup --suffix: --backup-dir:d --temp-dir:d --partial-dir:d --log-file:w --link-dest:l --copy-dest:l --compare-dest:l --ignore-errors',
    handle: rsync,
  },
];
