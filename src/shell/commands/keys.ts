// Keys, certificates, and signatures.
import type { Arg } from '../arg.ts';
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { has, type OptionTable, option } from '../options.ts';
import { sentFile } from './verbs.ts';

/** An input may be an address, and some addresses load a library. */
function classify(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['single-dash']);
  call.accept(given);
  call.roles(given);
  for (const o of given.options)
    if (o.spec.role === 'r' && (o.value?.literal == null || o.value.literal.includes(':')))
      call.unknown(`openssl ${o.flag} may load a library`, o.arg);
  for (const o of given.options) if (o.name === 'passin') sentFile(call, o.value!, /^file:/);
  return given;
}

function openssl(call: CommandCall, t: OptionTable) {
  const { operands } = classify(call, t);
  if (operands.length > 0) call.unknown('openssl with unrecognized arguments', operands[0]);
}

/** The operands may be addresses too. */
function ofFiles(call: CommandCall, t: OptionTable) {
  for (const o of classify(call, t).operands) {
    if (o.literal === null || o.literal.includes(':')) call.unknown(`${call.name} may load a library`, o);
    call.read(o, call.name);
  }
}

/** Its operands are passwords. */
function hashes(call: CommandCall, t: OptionTable) {
  classify(call, t);
}

/** The file is only read, but the key may be an address. */
function digest(call: CommandCall, t: OptionTable) {
  for (const o of classify(call, t).operands) call.read(o, call.name);
}

/** Sends its standard input. */
function client(call: CommandCall, t: OptionTable) {
  openssl(call, t);
  const host = option(call.parse(t, ['single-dash']), 'connect')?.value;
  call.network(host?.literal ? host.literal.replace(/:\d+$/, '') : null);
  const { stdin } = call;
  // The content of a pipe is only known if echo and printf are not functions.
  const isContentKnown = stdin.kind === 'text' || !(call.state.function('echo') || call.state.function('printf'));
  const sent = stdin.kind === 'inherit' ? '' : stdin.kind !== 'file' && isContentKnown && 'text' in stdin ? stdin.text : null;
  if (sent == null || !/^(?:Q?\n?)?$/.test(sent)) call.unknown('openssl s_client sends its standard input');
}

/** Read-only uses: the fingerprint of a key, its public half, a certificate, a known host. */
function sshKeygen(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.roles(given);
  const looks = has(given, 'l', 'F', 'y', 'L');
  if (looks && has(given, 't', 'b', 'C', 'N', 'q')) return call.unknown('ssh-keygen with options of a new key is not understood');
  if (has(given, 't', 'N') && !looks) return makesKey(call, option(given, 'f')?.value ?? null);
  if (!looks) call.unknown('ssh-keygen makes or changes keys');
  else if (!has(given, 'f') && !has(given, 'F')) call.unknown('ssh-keygen asks for the file');
}

/** Writes the key, with its public half next to it. */
function makesKey(call: CommandCall, file: Arg | null) {
  if (file?.literal == null) return call.unknown('the file of the new key is unknown');
  for (const end of ['', '.pub']) call.write(file.as(file.literal + end), 'ssh-keygen', { why: 'ssh-keygen makes a key' });
}

function sshAdd(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  if (!has(given, 'l', 'L')) call.unknown('ssh-add gives keys to the agent');
}

function keytool(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['single-dash']);
  call.accept(given);
  call.roles(given);
  if (!has(given, 'list', 'printcert')) call.unknown('keytool without -list or -printcert is not understood');
  if (given.operands.length > 0) call.unknown('keytool with unrecognized arguments', given.operands[0]);
}

function gpg(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  const isFiles = has(given, 'verify', 'show-keys', 'list-packets');
  const isReadOnly =
    isFiles ||
    has(given, 'k', 'K', 'list-keys', 'list-public-keys', 'list-secret-keys', 'fingerprint', 'list-signatures', 'list-sigs') ||
    has(given, 'check-signatures', 'check-sigs', 'list-config', 'export');
  if (!isReadOnly) call.unknown(`${call.name} without a listing or checking option writes files`);
  if (isFiles) for (const o of given.operands) if (o.literal !== '-') call.read(o, call.name);
}

export const keys: CommandEntry[] = [
  {
    names: 'openssl',
    help: 'version x509 dgst req crl rsa ec pkey enc base64 asn1parse verify pkcs7 crl2pkcs7 pkcs12 ciphers list s_client s_server rand passwd genrsa genpkey ecparam prime errstr ca cms smime ts ocsp speed pkeyutl rsautl dhparam pkcs8 kdf mac',
    style: ['single-dash'],
    class: 'unknown',
    why: 'openssl alone runs its standard input',
    verbs: {
      version: { options: '--a --b --d --f --o --p --v' },
      x509: {
        options:
          '--in:r --out:w --outform: --noout --text --subject --issuer --dates --startdate --enddate --fingerprint --serial --sha256 --sha1 --inform: --ext: --email --purpose --modulus --pubkey --hash --nameopt: --checkend: --subject_hash --issuer_hash --ocsp_uri',
        handle: openssl,
      },
      'dgst|md5|sha1|sha224|sha256|sha384|sha512': {
        options:
          '--md5 --sha1 --sha224 --sha256 --sha384 --sha512 --hex --binary --r --c --list --verify:r --signature:r --sigopt:',
        handle: digest,
      },
      'req|crl|rsa|ec|pkey': {
        options:
          '--in:r --out:w --outform: --inform: --noout --text --subject --issuer --pubkey --pubin --pubout --modulus --verify --check --nameopt:',
        handle: openssl,
      },
      // The cipher names are not listed, because they need a password.
      'enc|base64': {
        options: '--in:r --out:w --base64 --a --A --d --e --none',
        handle: openssl,
      },
      asn1parse: {
        options: '--in:r --inform: --i --dump --dlimit: --strparse: --offset: --length: --noout',
        handle: openssl,
      },
      verify: {
        options:
          '--CAfile:r --CApath:l --untrusted:r --trusted:r --CRLfile:r --verbose --show_chain --partial_chain --purpose: --crl_check --crl_check_all --no_check_time --x509_strict --check_ss_sig --verify_hostname: --verify_depth: --nameopt:',
        handle: ofFiles,
      },
      'pkcs7|crl2pkcs7': {
        options: '--in:r --inform: --outform: --print_certs --print --noout --text --nocrl --certfile:r',
        handle: openssl,
      },
      pkcs12: {
        options: '--in:r --info --noout --nokeys --nocerts --clcerts --cacerts --legacy --passin: --nodes',
        handle: openssl,
      },
      ciphers: { options: '--v --V --s --tls1_2 --tls1_3 --stdname', operands: 'text' },
      list: {
        options:
          '--commands --digest-commands --cipher-commands --digest-algorithms --cipher-algorithms --public-key-algorithms --disabled --providers --verbose',
        operands: 'none',
      },
      s_client: {
        options:
          '--connect: --servername: --showcerts --brief --tls1_2 --tls1_3 --CAfile:r --CApath:l --starttls: --alpn: --status --verify: --verify_return_error --verify_hostname: --4 --6',
        handle: client,
      },
      rand: { options: '--hex --base64 --out:w', operands: 'text' },
      passwd: {
        options: '--1 --5 --6 --apr1 --crypt --salt: --noverify --quiet --table --reverse --stdin --in:r',
        handle: hashes,
      },
      // A generated key is printed.
      genrsa: { options: '--out:w --3 --f4 --F4 --traditional --verbose --quiet', operands: 'text' },
      genpkey: { options: '--out:w --algorithm: --pkeyopt: --outform: --text --quiet', operands: 'none' },
      ecparam: {
        options: '--out:w --list_curves --name: --genkey --noout --text --check --in:r --inform: --conv_form: --param_enc:',
        handle: openssl,
      },
      prime: { options: '--generate --bits: --hex --safe --checks:', operands: 'text' },
      errstr: { options: '', operands: 'text' },
      help: { options: '', operands: 'text' },
      '*': 'unknown',
    },
    examples: {
      openssl: 'unknown',
      'openssl dgst -sha256 a': 'read-only',
      'openssl sha256 -out x a': 'unknown',
      'openssl dgst -sha256 -verify a.pem -signature a.sig a': 'read-only',
      'openssl dgst -verify org.openssl.engine:/x:y -signature a.sig a': 'unknown',
      'openssl pkcs7 -in a.p7b -print_certs -noout': 'read-only',
      'openssl pkcs7 -in a.p7b -out b': 'unknown',
      'openssl crl2pkcs7 -nocrl -certfile a.pem': 'read-only',
      'openssl crl2pkcs7 -nocrl -certfile org.openssl.engine:/x:y': 'unknown',
      'openssl req -in a.csr -noout -text': 'read-only',
      'openssl req -new': 'unknown',
      'openssl pkey -in org.openssl.engine:/x:y -noout': 'unknown',
      'openssl rand -hex 16': 'read-only',
      'openssl rand -out x 16': 'writes',
      'openssl passwd -6 -salt ab pw': 'read-only',
      'openssl passwd -in org.openssl.engine:/x:y': 'unknown',
      'openssl genrsa 2048': 'read-only',
      'openssl genrsa -out k 2048': 'writes',
      'openssl genpkey -algorithm ed25519': 'read-only',
      'openssl genpkey -algorithm ed25519 -out k': 'writes',
      'openssl ecparam -list_curves': 'read-only',
      'openssl ecparam -in org.openssl.engine:/x:y': 'unknown',
      'openssl errstr 02001002': 'read-only',
      'openssl x509 -help': 'read-only',
      'openssl help x509': 'read-only',
      'openssl x509 -help -engine x': 'unknown',
      'openssl base64 -A -in a': 'read-only',
      'openssl enc -d -base64 -in a -out b': 'writes',
      'openssl enc -aes-256-cbc -in a': 'unknown',
      'openssl verify -CAfile ca.pem a.pem': 'read-only',
      'openssl verify -untrusted org.openssl.engine:/x:y a.pem': 'unknown',
      'openssl verify org.openssl.engine:/x:y': 'unknown',
      'openssl verify -provider-path d a.pem': 'unknown',
      'openssl asn1parse -in a.pem -i': 'read-only',
      'openssl asn1parse -in a.pem -out b': 'unknown',
      'openssl pkcs12 -in a.p12 -info -nokeys': 'read-only',
      'openssl pkcs12 -in a.p12 -export': 'unknown',
      'openssl ciphers -v': 'read-only',
      'openssl s_client -connect a.invalid:443 < /dev/null': 'read-only',
      'echo | openssl s_client -connect a.invalid:443': 'read-only',
      'echo Q | openssl s_client -connect a.invalid:443': 'read-only',
      'cat x | openssl s_client -connect a.invalid:443': 'unknown',
      'cat x | openssl s_client -connect a.invalid:443 < /dev/null': 'unknown',
      'echo() { cat x; }; echo | openssl s_client -connect a.invalid:443': 'unknown',
      'openssl s_client -connect a.invalid:443 < x': 'unknown',
      'openssl s_client -connect a.invalid:443 <<< secret': 'unknown',
      'openssl s_client -connect a.invalid:443 -keylogfile x < /dev/null': 'unknown',
      'openssl s_client -connect a.invalid:443 -sess_out x < /dev/null': 'unknown',
    },
  },
  {
    names: 'ssh-keygen',
    options: '-lvyLq -t: -b: -C: -N: -E: -F: -f:r',
    operands: 'none',
    handle: sshKeygen,
    examples: {
      'ssh-keygen -lf a.pub': 'read-only',
      'ssh-keygen -F a.invalid': 'read-only',
      'ssh-keygen -y -f k': 'read-only',
      'ssh-keygen -l': 'unknown',
      'ssh-keygen -f k': 'unknown',
      'ssh-keygen -R a.invalid': 'unknown',
      'ssh-keygen -H -F a.invalid': 'unknown',
      'ssh-keygen -D ./lib.so -l -f k': 'unknown',
      'ssh-keygen -t ed25519 -f k': 'writes',
      'ssh-keygen -t ed25519': 'unknown',
      'ssh-keygen -t ed25519 -f k -w lib.so': 'unknown',
    },
  },
  {
    names: 'ssh-add',
    options: '-lLvq -E:',
    handle: sshAdd,
    examples: {
      'ssh-add -l': 'read-only',
      'ssh-add -D': 'unknown',
      'ssh-add -s ./lib.so': 'unknown',
      'ssh-add': 'unknown',
      'ssh-add k': 'unknown',
    },
  },
  {
    names: 'keytool',
    options: '--list --printcert --v --rfc --keystore:r --cacerts --storepass: --storetype: --alias: --file:r',
    handle: keytool,
    examples: {
      'keytool -list -v -keystore a.jks -storepass x': 'read-only',
      'keytool -printcert -file a.pem': 'read-only',
      'keytool -delete -alias a -keystore a.jks': 'unknown',
      'keytool -list -delete -alias a -keystore a.jks': 'unknown',
      'keytool -list -providerpath d': 'unknown',
      'keytool -v': 'unknown',
      'keytool -list @f': 'unknown',
    },
  },
  {
    // Unlike gpg, it creates nothing in its folder.
    names: 'gpgv',
    version: '--version',
    options: '-vq --keyring:r --verbose --quiet',
    operands: 'read',
    examples: {
      'gpgv --keyring ./k.gpg a.sig a': 'read-only',
      'gpgv -o f a.sig a': 'unknown',
      'gpgv --log-file f a.sig a': 'unknown',
    },
  },
  {
    // Lists and checks. Files that it creates in its own folder, and the agent that it starts, do not count as writes. Without
    // one of these words it decrypts and writes the result.
    names: 'gpg gpg2',
    version: '--version',
    options:
      '-k -K -v -q -a --list-keys --list-public-keys --list-secret-keys --fingerprint --list-signatures --list-sigs --check-signatures --check-sigs --show-keys --verify --list-packets --list-config --with-colons --with-fingerprint --with-subkey-fingerprint --with-keygrip --with-secret --fixed-list-mode --keyid-format: --verbose --quiet --batch --no-tty --no-auto-check-trustdb --no-options --export --armor',
    handle: gpg,
    examples: {
      'gpg --version': 'read-only',
      'gpg --list-keys': 'read-only',
      'gpg -K --keyid-format=long': 'read-only',
      'gpg --verify a.sig a.tar': 'read-only',
      'gpg --armor --export x': 'read-only',
      'gpg a.gpg': 'unknown',
      'gpg --verbose a.gpg': 'unknown',
      'gpg -k -o f': 'unknown',
      'gpg --list-keys --homedir d': 'unknown',
      'gpg --list-keys --keyring ./k': 'unknown',
      'gpg --verify --log-file f a.sig': 'unknown',
      'gpg --list-k': 'unknown',
    },
  },
];
