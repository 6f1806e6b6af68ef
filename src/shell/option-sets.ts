// Options of a command in every spelling: short or long, bundled, abbreviated, before or after operands. Deny and ask rules
// compare options with this table. Options that are not in it are compared as text only.
import type { OptionRule } from '../model/rule.ts';

/** Options of one command or subcommand, from each name to the canonical name, which is the last one. */
interface OptionNames {
  names: ReadonlyMap<string, { name: string; takesValue: 'no' | 'yes' | 'attached' }>;
  /** `-delete` is a single option, as in find. */
  isSingle: boolean;
  /** `-name` and `--name` are the same option, as in Go programs. Letters are never bundled. */
  isFlags: boolean;
}

const TERRAFORM =
  'backup: compact-warnings input? json lock? lock-timeout: no-color parallelism: refresh? state: state-out: var: var-file:';
const CARGO =
  'F,features: all-features no-default-features j,jobs: keep-going target: target-dir: manifest-path: locked offline frozen v,verbose q,quiet color: config: Z:';
const AWS =
  'debug endpoint-url: no-verify-ssl no-paginate output: query: profile: region: version: color: no-sign-request ca-bundle: cli-read-timeout: cli-connect-timeout: cli-binary-format: no-cli-pager cli-auto-prompt no-cli-auto-prompt';

/**
 * The key is the words that select the command. Commas join the names of one option. `:` marks an option with a value, and `?` an
 * option with a value only if it is attached. GNU programs and Git accept unambiguous abbreviations of long names. `flags` marks a program where `-name` and `--name` are the same.
 */
const TABLE: Readonly<Record<string, string>> = {
  rm: 'f,force i I,interactive? r,R,recursive d,dir v,verbose one-file-system no-preserve-root preserve-root?',
  cp: 'a,archive b,backup? d f,force i,interactive H l,link L,dereference n,no-clobber P,no-dereference p preserve? r,R,recursive s,symbolic-link S,suffix: t,target-directory: T,no-target-directory u,update? v,verbose x,one-file-system remove-destination parents attributes-only',
  mv: 'b,backup? f,force i,interactive n,no-clobber S,suffix: t,target-directory: T,no-target-directory u,update? v,verbose strip-trailing-slashes',
  ln: 'b,backup? d,F,directory f,force i,interactive L,logical n,no-dereference P,physical r,relative s,symbolic S,suffix: t,target-directory: T,no-target-directory v,verbose',
  mkdir: 'm,mode: p,parents v,verbose Z context?',
  rmdir: 'p,parents v,verbose ignore-fail-on-non-empty',
  chmod: 'c,changes f,silent,quiet v,verbose R,recursive reference: preserve-root no-preserve-root',
  chown:
    'c,changes f,silent,quiet v,verbose R,recursive h,no-dereference dereference from: reference: preserve-root no-preserve-root H L P',
  chgrp:
    'c,changes f,silent,quiet v,verbose R,recursive h,no-dereference dereference reference: preserve-root no-preserve-root H L P',
  shred: 'f,force n,iterations: random-source: s,size: u remove? v,verbose x,exact z,zero',
  truncate: 'c,no-create o,io-blocks r,reference: s,size:',
  touch: 'a c,no-create d,date: f h,no-dereference m r,reference: t: time:',
  tee: 'a,append i,ignore-interrupts p output-error?',
  sed: 'n,quiet,silent debug e,expression: f,file: follow-symlinks i,in-place? l,line-length: posix E,r,regexp-extended s,separate sandbox u,unbuffered z,null-data',
  sort: 'b,ignore-leading-blanks d,dictionary-order f,ignore-case g,general-numeric-sort i,ignore-nonprinting M,month-sort h,human-numeric-sort n,numeric-sort R,random-sort r,reverse V,version-sort c,check? C k,key: m,merge o,output: s,stable S,buffer-size: t,field-separator: T,temporary-directory: u,unique z,zero-terminated parallel: compress-program:',
  grep: 'E,extended-regexp F,fixed-strings G,basic-regexp P,perl-regexp e,regexp: f,file: i,ignore-case no-ignore-case v,invert-match w,word-regexp x,line-regexp c,count color? L,files-without-match l,files-with-matches m,max-count: o,only-matching q,quiet,silent s,no-messages b,byte-offset H,with-filename h,no-filename label: n,line-number T,initial-tab Z,null A,after-context: B,before-context: C,context: a,text binary-files: D,devices: d,directories: exclude: exclude-from: exclude-dir: I include: r,recursive R,dereference-recursive U,binary z,null-data line-buffered',
  kill: 's,signal: l,list? L,table q,queue:',
  curl: 'X,request: d,data: data-raw: data-binary: data-urlencode: data-ascii: F,form: T,upload-file: o,output: O,remote-name H,header: u,user: x,proxy: A,user-agent: e,referer: b,cookie: c,cookie-jar: k,insecure L,location s,silent S,show-error f,fail v,verbose i,include I,head G,get K,config: m,max-time: w,write-out: J,remote-header-name R,remote-time C,continue-at: E,cert: r,range: url: json: compressed output-dir: create-dirs location-trusted',
  wget: 'O,output-document: o,output-file: q,quiet v,verbose c,continue N,timestamping r,recursive P,directory-prefix: i,input-file: post-data: post-file: method: header: no-check-certificate m,mirror p,page-requisites k,convert-links',
  'git push':
    'f,force d,delete n,dry-run u,set-upstream v,verbose q,quiet all branches mirror tags follow-tags no-verify verify force-with-lease? force-if-includes prune atomic porcelain progress thin o,push-option: receive-pack,exec: repo: recurse-submodules: signed? 4,ipv4 6,ipv6 no-force no-force-with-lease no-tags',
  'git commit':
    'a,all p,patch C,reuse-message: c,reedit-message: fixup: squash: reset-author short branch porcelain long z,null F,file: author: date: m,message: t,template: s,signoff trailer: n,no-verify verify allow-empty allow-empty-message cleanup: e,edit no-edit amend no-post-rewrite i,include o,only pathspec-from-file: u,untracked-files? v,verbose q,quiet dry-run status no-status S,gpg-sign? no-gpg-sign interactive',
  'git reset':
    'q,quiet refresh no-refresh soft mixed hard merge keep p,patch N,intent-to-add recurse-submodules pathspec-from-file:',
  'git clean': 'd f,force i,interactive n,dry-run q,quiet e,exclude: x X',
  'git checkout':
    'q,quiet progress f,force ours theirs b: B: t,track? no-track l d,detach orphan: m,merge conflict: p,patch ignore-skip-worktree-bits ignore-other-worktrees overwrite-ignore recurse-submodules overlay no-overlay guess no-guess pathspec-from-file:',
  'git switch':
    'c,create: C,force-create: d,detach guess no-guess f,force discard-changes m,merge conflict: q,quiet progress t,track? no-track orphan: ignore-other-worktrees recurse-submodules',
  'git restore':
    's,source: p,patch W,worktree S,staged q,quiet progress ours theirs m,merge conflict: ignore-unmerged overlay no-overlay recurse-submodules pathspec-from-file:',
  'git branch':
    'd,delete D f,force m,move M c,copy C l,list r,remotes a,all v,verbose q,quiet t,track? no-track u,set-upstream-to: unset-upstream edit-description contains: no-contains: merged no-merged points-at: sort: format: show-current i,ignore-case color? column?',
  'git tag':
    'a,annotate s,sign no-sign u,local-user: f,force d,delete v,verify n? l,list sort: i,ignore-case m,message: F,file: e,edit cleanup: contains: no-contains: merged no-merged points-at: format: create-reflog',
  'git rm': 'f,force n,dry-run r cached ignore-unmatch q,quiet sparse pathspec-from-file:',
  'git add':
    'n,dry-run v,verbose f,force i,interactive p,patch e,edit u,update A,all no-all N,intent-to-add refresh ignore-errors ignore-missing chmod: sparse pathspec-from-file: renormalize',
  'git merge':
    'commit no-commit e,edit no-edit ff no-ff ff-only n,no-stat stat squash no-squash s,strategy: X,strategy-option: m,message: F,file: abort quit continue no-verify verify signoff allow-unrelated-histories q,quiet v,verbose S,gpg-sign? autostash no-autostash',
  'git rebase':
    'onto: i,interactive abort continue skip quit edit-todo show-current-patch s,strategy: X,strategy-option: x,exec: no-verify verify f,force-rebase root r,rebase-merges? autosquash autostash keep-base no-ff q,quiet v,verbose n,no-stat stat S,gpg-sign? m,merge p,preserve-merges update-refs',
  'git stash drop': 'q,quiet',
  'git fetch':
    'a,append all p,prune P,prune-tags f,force t,tags n,no-tags depth: deepen: unshallow j,jobs: k,keep u,update-head-ok dry-run q,quiet v,verbose upload-pack: o,server-option: m,multiple atomic refmap: set-upstream',
  'git pull':
    'r,rebase? no-rebase ff no-ff ff-only f,force t,tags p,prune all a,append depth: unshallow q,quiet v,verbose n,no-stat stat squash s,strategy: X,strategy-option: e,edit no-edit commit no-commit no-verify verify autostash allow-unrelated-histories upload-pack: k,keep',
  'docker run':
    'd,detach i,interactive t,tty rm privileged v,volume: e,env: p,publish: P,publish-all u,user: w,workdir: h,hostname: l,label: m,memory: name: network,net: mount: entrypoint: cap-add: cap-drop: device: env-file: pid: ipc: userns: security-opt: volumes-from: c,cpu-shares: a,attach: restart: pull: platform: q,quiet init read-only',
  'docker rm': 'f,force l,link v,volumes',
  'docker rmi': 'f,force no-prune',
  'docker exec': 'd,detach detach-keys: e,env: env-file: i,interactive privileged t,tty u,user: w,workdir:',
  'docker system prune': 'a,all f,force filter: volumes',
  'docker volume rm': 'f,force',
  'docker compose down': 'rmi: t,timeout: v,volumes remove-orphans',
  'kubectl delete':
    'f,filename: k,kustomize: l,selector: n,namespace: A,all-namespaces all force now grace-period: cascade? wait? timeout: dry-run? ignore-not-found? R,recursive o,output: raw: field-selector: context: kubeconfig: cluster: user: s,server: i,interactive',
  'kubectl apply':
    'f,filename: k,kustomize: l,selector: n,namespace: all prune force force-conflicts server-side dry-run? R,recursive o,output: overwrite? validate? wait? context: kubeconfig: cluster: user: s,server:',
  'npm install':
    'g,global location: save D,save-dev O,save-optional E,save-exact no-save f,force dry-run ignore-scripts legacy-peer-deps prefix: registry: omit: include: w,workspace: production',
  'npm publish': 'access: tag: dry-run otp: registry: provenance w,workspace: f,force ignore-scripts',
  'npm uninstall': 'g,global location: no-save w,workspace: save D,save-dev f,force prefix:',
  'terraform apply': `flags auto-approve destroy refresh-only replace: target: exclude: plan: ${TERRAFORM}`,
  'terraform destroy': `flags auto-approve target: exclude: ${TERRAFORM}`,
  'terraform plan': `flags destroy refresh-only replace: target: exclude: out: detailed-exitcode generate-config-out: ${TERRAFORM}`,
  'terraform init':
    'flags backend? backend-config: force-copy from-module: get? input? lock? lock-timeout: no-color plugin-dir: reconfigure migrate-state upgrade lockfile: json ignore-remote-version',
  'terraform force-unlock': 'flags force',
  'terraform workspace delete': 'flags force lock? lock-timeout:',
  'terraform state rm': 'flags dry-run backup: lock? lock-timeout: state: ignore-remote-version',
  'gh pr merge':
    'admin A,author-email: auto b,body: F,body-file: d,delete-branch disable-auto match-head-commit: m,merge r,rebase s,squash t,subject: R,repo:',
  'gh pr close': 'c,comment: d,delete-branch R,repo:',
  'gh pr review': 'a,approve b,body: F,body-file: c,comment r,request-changes R,repo:',
  'gh repo delete': 'confirm,yes',
  'gh release delete': 'cleanup-tag y,yes R,repo:',
  'gh issue delete': 'confirm,yes R,repo:',
  'gh api':
    'cache: F,field: H,header: hostname: i,include input: q,jq: X,method: paginate p,preview: f,raw-field: silent slurp t,template: verbose',
  'cargo publish': `n,dry-run index: registry: token: no-verify allow-dirty p,package: all,workspace exclude: ${CARGO}`,
  'cargo install': `version,vers: git: branch: tag: rev: path: root: registry: index: f,force no-track bin: bins example: examples list debug profile: n,dry-run ${CARGO}`,
  'cargo yank': 'version,vers: undo index: registry: token: v,verbose q,quiet color: config: Z:',
  'pip install':
    'r,requirement: c,constraint: no-deps pre e,editable: dry-run t,target: platform: python-version: implementation: abi: user root: prefix: src: U,upgrade upgrade-strategy: force-reinstall I,ignore-installed ignore-requires-python no-build-isolation use-pep517 check-build-dependencies break-system-packages C,config-settings: global-option: compile no-compile no-warn-script-location no-warn-conflicts no-binary: only-binary: prefer-binary require-hashes progress-bar: root-user-action: report: no-clean i,index-url: extra-index-url: no-index f,find-links: isolated require-virtualenv python: v,verbose q,quiet log: no-input proxy: retries: timeout: exists-action: trusted-host: cert: client-cert: cache-dir: no-cache-dir disable-pip-version-check no-color use-feature: use-deprecated:',
  'pip uninstall': 'r,requirement: y,yes break-system-packages root-user-action: v,verbose q,quiet no-input python: log:',
  'aws s3 rm': `dryrun quiet recursive request-payer: include: exclude: only-show-errors page-size: ${AWS}`,
  'aws s3 rb': `force ${AWS}`,
  'aws s3 sync': `dryrun quiet delete exact-timestamps size-only acl: include: exclude: only-show-errors page-size: follow-symlinks no-follow-symlinks ${AWS}`,
  'aws s3 cp': `dryrun quiet recursive acl: include: exclude: only-show-errors page-size: follow-symlinks no-follow-symlinks ${AWS}`,
  'aws s3 mv': `dryrun quiet recursive acl: include: exclude: only-show-errors page-size: follow-symlinks no-follow-symlinks ${AWS}`,
  find: 'single delete exec execdir ok okdir fprint fprint0 fprintf fls',
};

/** Programs with options before the subcommand. The sets list the options that take the next word as their value. */
const BEFORE_SUBCOMMAND: Readonly<Record<string, ReadonlySet<string>>> = {
  git: new Set([
    '-C',
    '-c',
    '--git-dir',
    '--work-tree',
    '--namespace',
    '--exec-path',
    '--super-prefix',
    '--config-env',
    '--attr-source',
  ]),
  docker: new Set([
    '-H',
    '--host',
    '-c',
    '--context',
    '-l',
    '--log-level',
    '--config',
    '--tlscacert',
    '--tlscert',
    '--tlskey',
    '-f',
    '--file',
    '-p',
    '--project-name',
  ]),
  kubectl: new Set([
    '-n',
    '--namespace',
    '--context',
    '--kubeconfig',
    '--cluster',
    '--user',
    '-s',
    '--server',
    '--token',
    '-v',
    '--v',
    '--as',
    '--request-timeout',
  ]),
  terraform: new Set(),
  gh: new Set(['-R', '--repo', '--hostname']),
  // `+toolchain` comes before the subcommand too.
  cargo: new Set(['--color', '--config', '-Z', '-C', '--manifest-path']),
  pip: new Set([
    '--python',
    '--log',
    '--proxy',
    '--retries',
    '--timeout',
    '--exists-action',
    '--trusted-host',
    '--cert',
    '--cache-dir',
  ]),
  aws: new Set([
    '--profile',
    '--region',
    '--output',
    '--query',
    '--endpoint-url',
    '--ca-bundle',
    '--color',
    '--cli-read-timeout',
    '--cli-connect-timeout',
    '--cli-binary-format',
  ]),
  npm: new Set(['--prefix', '-C', '-w', '--workspace', '--registry', '--loglevel']),
};

/** Synonyms of subcommands. */
const SAME_WORDS: Readonly<Record<string, string>> = {
  'npm i': 'npm install',
  'npm add': 'npm install',
  'npm un': 'npm uninstall',
  'npm rm': 'npm uninstall',
  'npm remove': 'npm uninstall',
  'git stage': 'git add',
  'pip3 install': 'pip install',
  'pip3 uninstall': 'pip uninstall',
  'python -m pip install': 'pip install',
  'python3 -m pip install': 'pip install',
  'docker container run': 'docker run',
  'docker container rm': 'docker rm',
  'docker container exec': 'docker exec',
  'docker image rm': 'docker rmi',
};

/** Options that combine several other options. */
const SHORT_FOR: Readonly<Record<string, string[][]>> = {
  'git branch': [
    ['D', 'delete', 'force'],
    ['M', 'move', 'force'],
    ['C', 'copy', 'force'],
  ],
};

const mostWords = 4;
const known = new Map<string, OptionNames>();

function namesOf(words: string): OptionNames | null {
  if (!Object.hasOwn(TABLE, words)) return null;
  let found = known.get(words);
  if (found === undefined) {
    const names = new Map<string, { name: string; takesValue: 'no' | 'yes' | 'attached' }>();
    const tokens = (TABLE[words] as string).split(' ');
    const isSingle = tokens[0] === 'single';
    const isFlags = tokens[0] === 'flags';
    for (const token of isSingle || isFlags ? tokens.slice(1) : tokens) {
      const takesValue = token.endsWith(':') ? 'yes' : token.endsWith('?') ? 'attached' : 'no';
      const all = token.replace(/[:?]$/, '').split(',');
      for (const name of all) names.set(name, { name: all.at(-1) as string, takesValue });
    }
    found = { names, isSingle, isFlags };
    known.set(words, found);
  }
  return found;
}

/** A parsed command. Null represents an unknown word. */
export interface OptionForm {
  /** The words that select the command: `rm`, `git push`. */
  words: string;
  /** Canonical names, with a value as `name=value`. Sorted and without duplicates. */
  options: string[];
  operands: (string | null)[];
  /** Options that are not in the table, as written. */
  strange: string[];
  /** Some unknown word may be an option. */
  isOpen: boolean;
}

/** Parses the words of a command with the table. Null if the command is not in the table. */
export function optionForm(argv: readonly (string | null)[]): OptionForm | null {
  const [first] = argv;
  if (first === undefined || first === null) return null;
  const name = first.slice(first.lastIndexOf('/') + 1);
  let at = 1;
  let words = name;
  const before = Object.hasOwn(BEFORE_SUBCOMMAND, name) ? BEFORE_SUBCOMMAND[name] : undefined;
  while (namesOf(SAME_WORDS[words] ?? words) === null) {
    while (before !== undefined && /^[-+]/.test(argv[at] ?? '')) at += before.has(argv[at] as string) ? 2 : 1;
    const word = argv[at];
    if (word === undefined || word === null || words.split(' ').length === mostWords) return null;
    words += ` ${word}`;
    at++;
  }
  words = SAME_WORDS[words] ?? words;
  const { names, isSingle, isFlags } = namesOf(words) as OptionNames;
  const out: OptionForm = { words, options: [], operands: [], strange: [], isOpen: false };
  const options = new Set<string>();
  const take = (found: { name: string; takesValue: string }, attached: string | null): void => {
    if (attached === null && found.takesValue === 'yes') {
      const value = argv[++at];
      options.add(value === undefined || value === null ? found.name : `${found.name}=${value}`);
    } else options.add(attached === null ? found.name : `${found.name}=${attached}`);
  };
  for (; at < argv.length; at++) {
    const word = argv[at] as string | null;
    if (word === null) {
      out.isOpen = true;
      out.operands.push(null);
    } else if (word === '--') {
      out.operands.push(...argv.slice(at + 1));
      break;
    } else if (!word.startsWith('-') || word === '-') out.operands.push(word);
    else if (isSingle) {
      if (names.has(word.slice(1))) options.add(word.slice(1));
      else out.operands.push(word);
    } else if (isFlags || word.startsWith('--')) {
      const equals = word.indexOf('=');
      const name = word.slice(word.startsWith('--') ? 2 : 1, equals === -1 ? undefined : equals);
      const found = longName(names, name);
      if (found === null) out.strange.push(word);
      else take(found, equals === -1 ? null : word.slice(equals + 1));
    } else
      for (let k = 1; k < word.length; k++) {
        const found = names.get(word[k] as string);
        if (found === undefined) {
          out.strange.push(`-${word.slice(k)}`);
          continue;
        }
        const rest = word.slice(k + 1).replace(/^=/, '');
        if (found.takesValue === 'no') options.add(found.name);
        else {
          take(found, rest === '' ? null : rest);
          break;
        }
      }
  }
  if (words === 'git push') addRefspecs(out.operands, options);
  for (const [short, ...meant] of Object.hasOwn(SHORT_FOR, words) ? (SHORT_FOR[words] as string[][]) : [])
    if (options.delete(short as string)) for (const one of meant) options.add(one);
  out.options = [...options].sort();
  return out;
}

function longName(names: OptionNames['names'], name: string): { name: string; takesValue: string } | null {
  const exact = name.length > 1 ? names.get(name) : undefined;
  if (exact !== undefined || name === '') return exact ?? null;
  const found = [...names].filter(([one]) => one.length > 1 && one.startsWith(name)).map(([, option]) => option);
  return found.length > 0 && found.every((one) => one.name === found[0]?.name) ? (found[0] ?? null) : null;
}

/** `+main` forces this one ref, `:main` deletes it, and a mirror does both. `--force-with-lease` is a separate option. */
function addRefspecs(operands: readonly (string | null)[], options: Set<string>): void {
  for (const operand of operands) {
    if (operand?.startsWith('+')) options.add('force');
    if (operand && /^\+?:./.test(operand)) options.add('delete');
  }
  if (options.has('mirror')) for (const name of ['force', 'delete']) options.add(name);
}

/** Rules with more options or operands than this are compared as text only. */
const mostOptions = 3;
const mostOperands = 2;
/** A call with more options is treated as a call with unknown options. */
const mostGiven = 20;

const keyOf = (kind: '-' | '+', words: string, options: readonly string[], operands: readonly string[]): string =>
  kind + [words, options.join('\t'), operands.join('\t')].join('\n');

export function optionRuleKey({ words, options, operands, isExact }: OptionRule): string {
  return keyOf(isExact ? '+' : '-', words, options, operands);
}

/**
 * The rule for the options in these words. Null if the table does not contain one of them, or if there are too many for a lookup.
 */
export function optionRule(argv: readonly string[], isExact: boolean): OptionRule | null {
  const form = optionForm(argv);
  if (form === null || form.strange.length > 0 || form.options.length === 0) return null;
  if (form.options.length > mostOptions || form.operands.length > mostOperands) return null;
  return { words: form.words, options: form.options, operands: form.operands as string[], isExact };
}

/** The keys of all rules that match a command with these words, and the words before an unknown part. */
export function optionKeys(argv: readonly (string | null)[]): { keys: string[]; open: string[] } {
  const form = optionForm(argv);
  if (form === null) return { keys: [], open: [] };
  // A rule may name an option with or without its value.
  const given = [
    ...new Set(form.options.flatMap((one) => (one.includes('=') ? [one, one.slice(0, one.indexOf('='))] : [one]))),
  ].sort();
  const open = form.isOpen || given.length > mostGiven ? [form.words] : [];
  const subsets: string[][] = [[]];
  for (const one of given.slice(0, mostGiven))
    for (const subset of subsets.slice()) if (subset.length < mostOptions) subsets.push([...subset, one]);
  const operands: string[][] = [[]];
  for (const operand of form.operands.slice(0, mostOperands)) {
    if (operand === null) break;
    operands.push([...(operands.at(-1) as string[]), operand]);
  }
  const keys = subsets
    .filter((subset) => subset.length > 0)
    .flatMap((subset) => operands.map((some) => keyOf('-', form.words, subset, some)));
  if (!form.isOpen && form.strange.length === 0) keys.push(keyOf('+', form.words, form.options, form.operands as string[]));
  return { keys, open };
}

/** The same comparison without keys. */
export function matchesOptions({ words, options, operands, isExact }: OptionRule, argv: readonly (string | null)[]): boolean {
  const form = optionForm(argv);
  if (form === null || form.words !== words) return false;
  if (isExact)
    return (
      form.strange.length === 0 &&
      form.options.join('\n') === options.join('\n') &&
      form.operands.length === operands.length &&
      operands.every((one, at) => form.operands[at] === one)
    );
  return (
    options.every((one) => form.options.some((other) => other === one || other.startsWith(`${one}=`))) &&
    operands.every((one, at) => form.operands[at] === one)
  );
}
