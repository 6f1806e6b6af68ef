// curl, and the addresses that it and similar programs receive.

import type { Arg } from '../arg.ts';
import type { CommandCall } from '../call.ts';
import { hostOf, hostOfAuthority } from '../hosts.ts';
import { type GivenOption, has, type OptionTable, option } from '../options.ts';

export const CURL =
  '-sSfLIigGkvnN01246JjOqRaBplM#Z -o:w -D:w -c:w -b: -A: -e: -H: -u: -U: -x:h -m: -r: -w: -X: -y: -Y: -z: -E: -C: -t: -T: -d: -F: -K:x -P:x -Q:x --silent --show-error --fail --fail-with-body --fail-early --location --location-trusted --head --include --get --globoff --insecure --verbose --netrc --netrc-optional --netrc-file:r --no-buffer --buffer --http0.9 --http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --sslv2 --sslv3 --ssl --ssl-reqd --ssl-no-revoke --ipv4 --ipv6 --remote-name --remote-header-name --remote-name-all --remote-time --disable --compressed --compressed-ssh --raw --tr-encoding --output:w --output-dir: --create-dirs --dump-header:w --cookie-jar:w --cookie: --user-agent: --referer: --header: --user: --oauth2-bearer: --basic --digest --ntlm --negotiate --anyauth --proxy:h --proxy-user: --noproxy: --proxy-insecure --preproxy:h --socks5:h --socks5-hostname:h --max-time: --connect-timeout: --expect100-timeout: --keepalive-time: --no-keepalive --range: --write-out: --request: --speed-limit: --speed-time: --limit-rate: --rate: --time-cond: --retry: --retry-delay: --retry-max-time: --retry-connrefused --retry-all-errors --max-redirs: --max-filesize: --cert: --key:r --cacert:r --capath:l --cert-type: --key-type: --pass: --pinnedpubkey: --ciphers: --tls-max: --crlfile:r --resolve: --connect-to: --interface: --local-port: --dns-servers: --unix-socket: --abstract-unix-socket: --url: --data: --data-raw: --data-binary: --data-urlencode: --data-ascii: --json: --form: --form-string: --upload-file: --url-query: --etag-save:w --etag-compare: --hsts:w --alt-svc:w --libcurl:w --trace:w --trace-ascii:w --trace-time --trace-ids --stderr:w --config:x --proto: --proto-default: --proto-redir: --progress-bar --progress-meter --no-progress-meter --parallel --parallel-immediate --parallel-max: --path-as-is --post301 --post302 --post303 --tcp-nodelay --tcp-fastopen --next --version -V --help -h --list-only --ftp-pasv --disable-epsv --xattr --ignore-content-length --no-location --no-alpn --no-npn --no-sessionid --styled-output --no-styled-output --suppress-connect-headers --disallow-username-in-url --remove-on-error --no-clobber --skip-existing --out-null --engine:x --ftp-port:x --quote:x --mail-from:x --doh-url:h';

const SENDS = /^(?:d|data|data-raw|data-binary|data-urlencode|data-ascii|json|F|form|form-string|T|upload-file)$/;

/** Options with a file in their value that is sent or read, and the pattern of the file name. */
const FILES: [options: RegExp, named: RegExp][] = [
  [/^(?:d|data|data-binary|data-ascii|json|H|header|b|cookie|proxy-header)$/, /^@(.*)$/s],
  [/^(?:data-urlencode|url-query)$/, /^[^=@]*@(.*)$/s],
  [/^(?:F|form)$/, /^[^=]*=[@<]"?([^;"]*)/s],
  [/^(?:T|upload-file|K|config|etag-compare)$/, /^(?![-.]$)(.*)$/s],
];

/** Options that store data about hosts in a file. Their value `-` is a file name. */
const HOST_STORE = /^(?:hsts|alt-svc)$/;

/** Options that send text with a plain request. */
const TELLS =
  /^(?:H|A|e|b|u|U|header|user-agent|referer|cookie|user|proxy-user|oauth2-bearer|url-query|d|data|data-raw|data-urlencode|range|r)$/;

/** Headers that make some servers treat a request as one with another method. */
export const OVERRIDES = /^x-(?:http-)?method(?:-override)?\b/i;

export function curl(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  const folder = option(given, 'output-dir');
  if (has(given, 'create-dirs'))
    for (const o of given.options)
      if (o.spec.role === 'w' || o === folder) call.writeIntermediateFolders(o.value!, 'curl --create-dirs');
  // Output names are relative to the folder. `-` is standard output.
  const isOutput = (o: GivenOption) => o.name === 'o' || o.name === 'output';
  call.roles({
    ...given,
    options: given.options.filter(
      (o) => o.spec.role !== 'w' || !((o.value?.literal === '-' && !HOST_STORE.test(o.name)) || (folder && isOutput(o))),
    ),
  });
  if (folder) {
    const leaves = given.options.find((o) => isOutput(o) && !/^(?!.*\.\.)/s.test(o.value?.literal ?? '..'));
    if (folder.value?.literal == null || leaves) call.unknown('the output file of curl is unknown', (leaves ?? folder).arg);
    else call.write(folder.value, 'curl --output-dir', { extent: 'deep', old: 'untouched' });
  }
  if (has(given, 'V', 'version', 'h', 'help')) return;
  call.network();
  const urls = [...given.operands, ...given.options.filter((o) => o.name === 'url').map((o) => o.value!)];
  // Most options start again after --next.
  const isOne = !has(given, 'next');
  if (folder && !isOne) call.unknown('the output file of curl after --next is unknown', folder.arg);
  const get = has(given, 'G', 'get') && isOne;
  for (const o of given.options) {
    const file = FILES.find(([names]) => names.test(o.name))?.[1].exec(o.value?.literal ?? '');
    // A form may contain several files, separated by commas.
    for (const name of new Set([file?.[1] ?? '', ...(file?.[1]?.split(',') ?? [])]))
      if (name) call.read(o.value!.as(name), 'curl');
    if (SENDS.test(o.name) && (!get || !/^(?:d|data)/.test(o.name))) call.unknown(`curl ${o.flag} sends data to a server`, o.arg);
    else if (file) call.unknown(`curl ${o.flag} sends the content of a file`, o.arg);
    else if ((o.name === 'b' || o.name === 'cookie') && o.value?.literal && !o.value.literal.includes('='))
      call.read(o.value, 'curl');
    if ((o.name === 'X' || o.name === 'request') && !/^(?:GET|HEAD|OPTIONS|get|head|options)$/.test(o.value?.literal ?? ''))
      call.unknown(`curl ${o.flag} ${o.value?.text ?? ''} may change something on a server`, o.arg);
    if (TELLS.test(o.name) && o.value && o.value.literal === null)
      call.carries(`the data that curl ${o.flag} sends is unknown and`, o.arg);
    if ((o.name === 'w' || o.name === 'write-out') && (o.value?.literal == null || /%output|^@/.test(o.value.literal)))
      call.unknown('the text of curl -w may name a file to be written', o.arg);
    if (o.name === 'url' && o.value?.lead.startsWith('@')) call.unknown('curl reads addresses from a file', o.arg);
    if (o.name === 'proto-default' && !/^https?$/.test(o.value?.literal ?? ''))
      call.unknown('the scheme of the address of curl is unknown', o.arg);
    if (OVERRIDES.test(o.value?.literal ?? '')) call.unknown(`curl ${o.flag} uses another HTTP method`, o.arg);
    if (/^(?:E|cert|key)$/.test(o.name) && /^pkcs11:/i.test(o.value?.lead ?? ''))
      call.unknown(`curl ${o.flag} may load a library`, o.arg);
    // A password may follow it.
    if (o.name === 'E' || o.name === 'cert')
      for (const name of new Set([o.value!.literal ?? '', /^(?:[^:\\]|\\.)*/s.exec(o.value!.literal ?? '')![0]]))
        if (name !== '') call.read(o.value!.as(name.replace(/\\(?=[:\\])/g, '')), 'curl');
    if ((o.name === 'unix-socket' || o.name === 'abstract-unix-socket') && o.value?.literal == null)
      call.unknown('the socket is unknown', o.arg);
  }
  for (const u of urls) url(call, u);
  for (const { name, value } of given.options) for (const host of elsewhere(name, value?.literal ?? '')) call.network(host);
  if (has(given, 'O', 'remote-name', 'remote-name-all')) {
    if (has(given, 'J', 'remote-header-name') || folder) call.unknown('the server decides the name of the output file');
    for (const u of urls) {
      if (u.literal === null || u.pattern || /[{}[\]]|\/\.\.?(?:[/?#]|$)/.test(u.literal))
        call.unknown('the name of the output file of curl is unknown', u);
      else for (const name of namesOf(u.literal)) call.write(u.as(name), 'curl -O', { why: 'curl -O writes to a file' });
    }
  }
  const noClobber = option(given, 'no-clobber');
  if (noClobber && given.options.some((o) => isOutput(o) || /^(?:O|remote-name(?:-all)?)$/.test(o.name)))
    call.unknown('curl --no-clobber adds a number to a name that already exists', noClobber.arg);
  // `#1` in an output name is replaced by parts of the URL.
  for (const o of given.options)
    if ((o.name === 'o' || o.name === 'output') && o.value?.literal?.includes('#'))
      call.unknown('the output name of curl is made from the URL', o.arg);
}

/** Names that `curl -O` gives to the result of an address. Newer versions use its path, and older ones the whole address. */
function namesOf(address: string): string[] {
  const rest = address.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  const path = rest.replace(/[?#].*$/s, '').replace(/^[^/]*/, '');
  const name = path.replace(/(?<!\/)\/+$/, '').replace(/^.*\//, '') || 'curl_response';
  const whole = rest.replace(/^.*\//s, '');
  return /[?#]/.test(rest) && rest.includes('/') && whole !== '' ? [name, whole] : [name];
}

/** Hosts that an option of curl uses in place of the host of the address, or that resolve it. */
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

export function url(call: CommandCall, arg: Arg) {
  const text = arg.literal ?? null;
  if (text === null) {
    call.carries('the address is unknown and', arg);
    const m = /^[a-z]+:\/\/[^/?#]+\//i.exec(arg.lead);
    if (m) call.network(hostOf(m[0]));
    return;
  }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\/|^(file):\//i.exec(text)?.slice(1).find(Boolean)?.toLowerCase() ?? 'http';
  if (scheme === 'file') return fileOf(call, arg, text);
  if (!/^(?:https?|ftps?|wss?)$/.test(scheme)) return call.unknown(`${scheme}:// is not known`, arg);
  const authority = text.replace(/^[^/]*\/\//, '').replace(/[/?#].*$/s, '');
  // An IPv6 address is written in brackets.
  if (/[{}[\]]/.test(authority.replace(/\[[\da-f:.]+\](?=:\d+$|$)/i, '')))
    return call.unknown('the address stands for several hosts', arg);
  call.network(hostOfAuthority(authority));
}

/**
 * The path in a file URL: without query and fragment, and with `%41` decoded. curl expands braces and brackets to several
 * addresses.
 */
function fileOf(call: CommandCall, arg: Arg, address: string) {
  const path = address.replace(/^file:(?:\/\/[^/]*)?/i, '').replace(/[?#].*$/s, '');
  const plain = path.replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());
  const open = plain.search(/[{[]/);
  call.read(arg.as(plain), 'curl');
  if (open !== -1) call.read(arg.as(plain.slice(0, plain.lastIndexOf('/', open) + 1)), 'curl', { extent: 'deep' });
}
