// Options of a command in every spelling: short or long, bundled, abbreviated, before or after operands. Deny and ask rules
// compare options with this table. Options that are not in it are compared as text only.
import type { OptionRule } from '../model/rule.ts';
import { isScript } from './scripts.ts';
import { startsModule, usualWords } from './usual-words.ts';

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
const GO =
  'a n p: race msan asan cover covermode: coverpkg: v work x asmflags: buildmode: buildvcs? compiler: gccgoflags: gcflags: installsuffix: json ldflags: linkshared mod: modcacherw modfile: overlay: pgo: pkgdir: tags: trimpath toolexec: C:';
const KUBECTL = 'n,namespace: context: kubeconfig: cluster: user: s,server: as:';
const AWS =
  'debug endpoint-url: no-verify-ssl no-paginate output: query: profile: region: version: color: no-sign-request ca-bundle: cli-read-timeout: cli-connect-timeout: cli-binary-format: no-cli-pager cli-auto-prompt no-cli-auto-prompt';

const PULUMI =
  'y,yes f,skip-preview force s,stack: C,cwd: m,message: d,debug diff j,json p,parallel: r,refresh? t,target: target-dependents replace: target-replace: c,config: config-file: config-path non-interactive color: v,verbose: e,emoji Q,suppress-outputs suppress-progress suppress-permalink? show-config show-reads show-sames show-secrets? exclude-protected remove preserve-config expect-no-changes continue-on-error policy-pack: o,out: g,generate-code? protect? parent: provider: plan: save-plan: run-program? exclude: exclude-dependents import-file: preview-only';
const CONDA =
  'n,name: p,prefix: c,channel: override-channels y,yes f,file: d,dry-run a,all force force-remove,force-reinstall no-deps only-deps freeze-installed no-update-deps q,quiet v,verbose json offline O,copy S,satisfy-skip-solve no-pin t,tarballs i,index-cache l,packages';

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
  shred: 'f,force n,iterations: random-source: s,size: u,remove? v,verbose x,exact z,zero',
  truncate: 'c,no-create o,io-blocks r,reference: s,size:',
  touch: 'a c,no-create d,date: f h,no-dereference m r,reference: t: time:',
  tee: 'a,append i,ignore-interrupts p output-error?',
  sed: 'n,quiet,silent debug e,expression: f,file: follow-symlinks i,in-place? l,line-length: posix E,r,regexp-extended s,separate sandbox u,unbuffered z,null-data',
  sort: 'b,ignore-leading-blanks d,dictionary-order f,ignore-case g,general-numeric-sort i,ignore-nonprinting M,month-sort h,human-numeric-sort n,numeric-sort R,random-sort r,reverse V,version-sort c,check? C k,key: m,merge o,output: s,stable S,buffer-size: t,field-separator: T,temporary-directory: u,unique z,zero-terminated parallel: compress-program:',
  grep: 'E,extended-regexp F,fixed-strings G,basic-regexp P,perl-regexp e,regexp: f,file: i,ignore-case no-ignore-case v,invert-match w,word-regexp x,line-regexp c,count color? L,files-without-match l,files-with-matches m,max-count: o,only-matching q,quiet,silent s,no-messages b,byte-offset H,with-filename h,no-filename label: n,line-number T,initial-tab Z,null A,after-context: B,before-context: C,context: a,text binary-files: D,devices: d,directories: exclude: exclude-from: exclude-dir: I include: r,recursive R,dereference-recursive U,binary z,null-data line-buffered',
  kill: 's,n,signal: l,list? L,table q,queue:',
  curl: 'X,request: d,data: data-raw: data-binary: data-urlencode: data-ascii: F,form: T,upload-file: o,output: O,remote-name H,header: u,user: x,proxy: A,user-agent: e,referer: b,cookie: c,cookie-jar: k,insecure L,location s,silent S,show-error f,fail v,verbose i,include I,head G,get K,config: m,max-time: w,write-out: J,remote-header-name R,remote-time C,continue-at: E,cert: r,range: url: json: compressed output-dir: create-dirs location-trusted',
  wget: 'O,output-document: o,output-file: q,quiet v,verbose c,continue N,timestamping r,recursive P,directory-prefix: i,input-file: post-data: post-file: method: header: no-check-certificate m,mirror p,page-requisites k,convert-links',
  du: '0,null a,all apparent-size B,block-size: b,bytes c,total D,dereference-args d,max-depth: files0-from: H h,human-readable inodes k L,dereference l,count-links m P,no-dereference S,separate-dirs si s,summarize t,threshold: time? time-style: X,exclude-from: exclude: x,one-file-system',
  date: 'd,date: debug f,file: I,iso-8601? R,rfc-email rfc-3339: r,reference: resolution s,set: u,utc,universal',
  head: 'c,bytes: n,lines: q,quiet,silent v,verbose z,zero-terminated',
  useradd:
    'b,base-dir: c,comment: d,home-dir: D,defaults e,expiredate: f,inactive: g,gid: G,groups: k,skel: K,key: l,no-log-init m,create-home M,no-create-home N,no-user-group o,non-unique p,password: r,system R,root: s,shell: u,uid: U,user-group',
  mysqldump:
    'A,all-databases B,databases u,user: p,password? h,host: P,port: r,result-file: T,tab: d,no-data t,no-create-info w,where: R,routines E,events triggers single-transaction',
  pacman:
    'S,sync R,remove Q,query U,upgrade F,files D,database T,deptest y,refresh u,sysupgrade c,clean,cascade s,search,recursive n,nosave noconfirm needed w,downloadonly',
  su: 'c,command: session-command: f,fast g,group: G,supp-group: l,login m,p,preserve-environment P,pty s,shell: w,whitelist-environment:',
  shutdown: 'H,halt P,h,poweroff r,reboot k no-wall c show',
  'git push':
    'f,force d,delete n,dry-run u,set-upstream v,verbose q,quiet branches,all mirror tags follow-tags no-verify verify force-with-lease? force-if-includes prune atomic porcelain progress thin o,push-option: receive-pack,exec: repo: recurse-submodules: signed? 4,ipv4 6,ipv6 no-force no-force-with-lease no-tags',
  'git log':
    'p,u,patch s,no-patch stat? name-only name-status oneline graph all reverse follow n,max-count: L: S: G: author: since: grep: format: pretty? raw',
  'git show': 'p,u,patch s,no-patch stat? name-only name-status format: pretty? raw',
  'git diff': 'p,u,patch s,no-patch cached,staged stat? name-only name-status no-index merge-base raw',
  'git commit':
    'a,all p,patch C,reuse-message: c,reedit-message: fixup: squash: reset-author short branch porcelain long z,null F,file: author: date: m,message: t,template: s,signoff trailer: n,no-verify verify allow-empty allow-empty-message cleanup: e,edit no-edit amend no-post-rewrite i,include o,only pathspec-from-file: u,untracked-files? v,verbose q,quiet dry-run status no-status S,gpg-sign? no-gpg-sign interactive',
  'git reset':
    'q,quiet refresh no-refresh soft mixed hard merge keep p,patch N,intent-to-add recurse-submodules pathspec-from-file:',
  'git clean': 'd f,force i,interactive n,dry-run q,quiet e,exclude: x X',
  'git checkout':
    'q,quiet progress f,force ours theirs b: B: t,track? no-track l d,detach orphan: m,merge conflict: p,patch ignore-skip-worktree-bits ignore-other-worktrees overwrite-ignore recurse-submodules overlay no-overlay guess no-guess pathspec-from-file:',
  'git switch':
    'c,create: C,force-create: d,detach guess no-guess f,discard-changes,force m,merge conflict: q,quiet progress t,track? no-track orphan: ignore-other-worktrees recurse-submodules',
  'git restore':
    's,source: p,patch W,worktree S,staged q,quiet progress ours theirs m,merge conflict: ignore-unmerged overlay no-overlay recurse-submodules pathspec-from-file:',
  'git branch':
    'd,delete D f,force m,move M c,copy C l,list r,remotes a,all v,verbose q,quiet t,track? no-track u,set-upstream-to: unset-upstream edit-description contains: no-contains: merged no-merged points-at: sort: format: show-current i,ignore-case color? column?',
  'git tag':
    'a,annotate s,sign no-sign u,local-user: f,force d,delete v,verify n? l,list sort: i,ignore-case m,message: F,file: e,edit cleanup: contains: no-contains: merged no-merged points-at: format: create-reflog',
  'git rm': 'f,force n,dry-run r cached ignore-unmatch q,quiet sparse pathspec-from-file:',
  'git add':
    'n,dry-run v,verbose f,force i,interactive p,patch e,edit u,update A,no-ignore-removal,all ignore-removal,no-all N,intent-to-add refresh ignore-errors ignore-missing chmod: sparse pathspec-from-file: renormalize',
  'git merge':
    'commit no-commit e,edit no-edit ff no-ff ff-only n,no-stat stat squash no-squash s,strategy: X,strategy-option: m,message: F,file: abort quit continue no-verify verify signoff allow-unrelated-histories q,quiet v,verbose S,gpg-sign? autostash no-autostash',
  'git rebase':
    'onto: i,interactive abort continue skip quit edit-todo show-current-patch s,strategy: X,strategy-option: x,exec: no-verify verify f,force-rebase root r,rebase-merges? autosquash autostash keep-base no-ff q,quiet v,verbose n,no-stat stat S,gpg-sign? m,merge p,preserve-merges update-refs',
  'git stash drop': 'q,quiet',
  'git fetch':
    'a,append all p,prune P,prune-tags f,force t,tags n,no-tags depth: deepen: unshallow j,jobs: k,keep u,update-head-ok dry-run q,quiet v,verbose upload-pack: o,server-option: m,multiple atomic refmap: set-upstream',
  'git pull':
    'r,rebase? no-rebase ff no-ff ff-only f,force t,tags p,prune all a,append depth: unshallow q,quiet v,verbose n,no-stat stat squash s,strategy: X,strategy-option: e,edit no-edit commit no-commit no-verify verify autostash allow-unrelated-histories upload-pack: k,keep',
  'git worktree add': 'f,force d,detach checkout no-checkout lock reason: orphan b: B: q,quiet track no-track guess-remote',
  'git worktree remove': 'f,force',
  'git worktree move': 'f,force',
  'git submodule deinit': 'f,force all q,quiet',
  'git submodule update':
    'i,init remote N,no-fetch no-recommend-shallow recommend-shallow f,force checkout merge rebase reference: recursive single-branch no-single-branch j,jobs: depth: filter: q,quiet',
  'git submodule add': 'b,branch: f,force name: reference: depth: q,quiet',
  'git stash push':
    'k,keep-index no-keep-index u,include-untracked a,all q,quiet m,message: S,staged p,patch pathspec-from-file: pathspec-file-nul',
  'git filter-branch':
    'f,force d: env-filter: tree-filter: index-filter: parent-filter: msg-filter: commit-filter: tag-name-filter: subdirectory-filter: setup: original: prune-empty remap-to-ancestor state-branch:',
  'git config':
    'global system local worktree f,file: blob: get get-all get-regexp get-urlmatch replace-all add unset unset-all rename-section remove-section l,list fixed-value e,edit get-color get-colorbool t,type: bool int bool-or-int bool-or-str path expiry-date z,null name-only includes no-includes show-origin show-scope default: comment: append all value: regexp',
  'git mv': 'v,verbose n,dry-run f,force k sparse',
  'git cherry-pick':
    'quit continue abort skip cleanup: n,no-commit e,edit s,signoff m,mainline: rerere-autoupdate strategy: X,strategy-option: S,gpg-sign? x ff allow-empty allow-empty-message keep-redundant-commits empty:',
  'git revert':
    'quit continue abort skip cleanup: n,no-commit e,edit no-edit s,signoff m,mainline: rerere-autoupdate strategy: X,strategy-option: S,gpg-sign? reference',
  'git am':
    'i,interactive 3,3way q,quiet s,signoff u,utf8 k,keep keep-non-patch m,message-id keep-cr no-keep-cr c,scissors quoted-cr: whitespace: ignore-space-change ignore-whitespace directory: exclude: include: C: p: patch-format: reject resolvemsg: continue r,resolved skip abort quit show-current-patch? allow-empty n,no-verify verify committer-date-is-author-date ignore-date rerere-autoupdate S,gpg-sign? empty:',
  'git apply':
    'exclude: include: p: no-add stat numstat summary check index N,intent-to-add cached unsafe-paths apply 3,3way build-fake-ancestor: z C: whitespace: ignore-space-change ignore-whitespace R,reverse unidiff-zero reject allow-overlap v,verbose q,quiet inaccurate-eof recount directory: allow-empty',
  'git clone':
    'v,verbose q,quiet progress reject-shallow n,no-checkout bare mirror l,local no-hardlinks s,shared recurse-submodules,recursive? j,jobs: template: reference: reference-if-able: dissociate o,origin: b,branch: u,upload-pack: depth: shallow-since: shallow-exclude: single-branch no-single-branch no-tags shallow-submodules separate-git-dir: c,config: server-option: 4,ipv4 6,ipv6 filter: also-filter-submodules remote-submodules sparse bundle-uri:',
  'git symbolic-ref': 'q,quiet d,delete short recurse m:',
  'docker run':
    'd,detach i,interactive t,tty rm privileged v,volume: e,env: p,publish: P,publish-all u,user: w,workdir: h,hostname: l,label: m,memory: name: network,net: mount: entrypoint: cap-add: cap-drop: device: env-file: pid: ipc: userns: add-host: annotation: blkio-weight: cgroup-parent: cgroupns: cidfile: cpu-period: cpu-quota: cpu-rt-period: cpu-rt-runtime: cpus: cpuset-cpus: cpuset-mems: device-cgroup-rule: detach-keys: dns: dns-option: dns-search: domainname: expose: gpus: group-add: health-cmd: health-interval: health-retries: health-timeout: ip: ip6: isolation: kernel-memory: label-file: link: log-driver: log-opt: mac-address: memory-reservation: memory-swap: memory-swappiness: network-alias: no-healthcheck oom-kill-disable oom-score-adj: pids-limit: runtime: shm-size: sig-proxy? stop-signal: stop-timeout: storage-opt: sysctl: tmpfs: ulimit: use-api-socket uts: volume-driver: security-opt: volumes-from: c,cpu-shares: a,attach: restart: pull: platform: q,quiet init read-only',
  'docker rm': 'f,force l,link v,volumes',
  'docker rmi': 'f,force no-prune',
  'docker exec': 'd,detach detach-keys: e,env: env-file: i,interactive privileged t,tty u,user: w,workdir:',
  'docker system prune': 'a,all f,force filter: volumes',
  'docker volume rm': 'f,force',
  'docker compose down': 'rmi: t,timeout: v,volumes remove-orphans',
  'docker build':
    'add-host: allow: annotation: attest: build-arg: build-context: builder: cache-from: cache-to: call: check cgroup-parent: compress cpu-period: cpu-quota: c,cpu-shares: cpuset-cpus: cpuset-mems: D,debug disable-content-trust f,file: force-rm iidfile: isolation: label: load m,memory: memory-swap: metadata-file: network: no-cache no-cache-filter: o,output: platform: progress: provenance? pull push q,quiet rm sbom? secret: security-opt: shm-size: squash ssh: t,tag: target: ulimit:',
  'docker image prune': 'a,all f,force filter:',
  'docker container prune': 'f,force filter:',
  'docker network prune': 'f,force filter:',
  'docker volume prune': 'a,all f,force filter:',
  'docker builder prune': 'a,all f,force filter: keep-storage:',
  'docker network rm': 'f,force',
  'docker kill': 's,signal:',
  'docker stop': 's,signal: t,timeout,time:',
  'docker restart': 's,signal: t,timeout,time:',
  'docker push': 'a,all-tags disable-content-trust? platform: q,quiet',
  'docker pull': 'a,all-tags disable-content-trust? platform: q,quiet',
  'docker login': 'p,password: password-stdin u,username:',
  'docker compose up':
    'abort-on-container-exit abort-on-container-failure always-recreate-deps attach: attach-dependencies build d,detach dry-run exit-code-from: force-recreate menu no-attach: no-build no-color no-deps no-log-prefix no-recreate no-start pull: quiet-build quiet-pull remove-orphans V,renew-anon-volumes scale: t,timeout: timestamps wait wait-timeout: w,watch y,yes',
  'docker compose rm': 'f,force s,stop v,volumes all dry-run',
  'docker compose run':
    'build cap-add: cap-drop: d,detach dry-run entrypoint: e,env: env-from-file: i,interactive l,label: name: T,no-TTY no-deps p,publish: P,service-ports pull: q,quiet quiet-build quiet-pull remove-orphans rm use-aliases u,user: v,volume: w,workdir:',
  'docker compose exec': 'd,detach dry-run e,env: index: T,no-tty privileged u,user: w,workdir:',
  'docker compose kill': 'remove-orphans s,signal: dry-run',
  'docker compose build':
    'build-arg: builder: check dry-run m,memory: no-cache print provenance: pull push q,quiet sbom: ssh: with-dependencies',
  'kubectl delete':
    'f,filename: k,kustomize: l,selector: n,namespace: A,all-namespaces all force now grace-period: cascade? wait? timeout: dry-run? ignore-not-found? R,recursive o,output: raw: field-selector: context: kubeconfig: cluster: user: s,server: i,interactive',
  'kubectl apply':
    'f,filename: k,kustomize: l,selector: n,namespace: all prune force force-conflicts server-side dry-run? R,recursive o,output: overwrite? validate? wait? context: kubeconfig: cluster: user: s,server:',
  'kubectl drain':
    'chunk-size: delete-emptydir-data disable-eviction dry-run? force grace-period: ignore-daemonsets pod-selector: l,selector: skip-wait-for-delete-timeout: timeout: n,namespace: context: kubeconfig:',
  'kubectl scale':
    'all current-replicas: dry-run? f,filename: k,kustomize: o,output: R,recursive replicas: resource-version: l,selector: template: timeout: n,namespace: context: kubeconfig:',
  'kubectl replace':
    'cascade? dry-run? field-manager: f,filename: force grace-period: k,kustomize: o,output: raw: R,recursive save-config subresource: timeout: validate? wait? n,namespace: context: kubeconfig:',
  'kubectl exec': 'c,container: f,filename: pod-running-timeout: q,quiet i,stdin t,tty n,namespace: context: kubeconfig:',
  'kubectl run':
    'annotations: attach command dry-run? env: expose f,filename: force grace-period: image: image-pull-policy: l,labels: leave-stdin-open o,output: overrides: port: privileged q,quiet restart: rm i,stdin t,tty wait n,namespace: context: kubeconfig:',
  'helm upgrade':
    'a,atomic cleanup-on-fail create-namespace dependency-update description: devel disable-openapi-validation dry-run? force h,help history-max: i,install keyring: n,namespace: no-hooks o,output: pass-credentials post-renderer: render-subchart-notes repo: reset-then-reuse-values reset-values reuse-values set: set-file: set-string: set-json: skip-crds timeout: f,values: verify version: wait wait-for-jobs kube-context: kubeconfig:',
  'helm install':
    'a,atomic create-namespace dependency-update description: devel dry-run? force g,generate-name name-template: n,namespace: no-hooks o,output: repo: replace set: set-file: set-string: set-json: skip-crds timeout: f,values: verify version: wait wait-for-jobs kube-context: kubeconfig:',
  'helm uninstall':
    'cascade: description: dry-run ignore-not-found keep-history no-hooks timeout: wait n,namespace: kube-context: kubeconfig:',
  'npm install':
    'g,global location: save D,save-dev O,save-optional E,save-exact no-save f,force dry-run ignore-scripts legacy-peer-deps prefix: registry: omit: include: w,workspace: production',
  'npm publish': 'access: tag: dry-run otp: registry: provenance w,workspace: f,force ignore-scripts',
  'npm uninstall': 'g,global location: no-save w,workspace: save D,save-dev f,force prefix:',
  'npm ci':
    'g,global omit: include: ignore-scripts no-audit no-fund legacy-peer-deps f,force dry-run w,workspace: workspaces install-links prefix: registry:',
  'npm update': 'g,global S,save no-save omit: include: ignore-scripts dry-run f,force w,workspace: workspaces prefix: registry:',
  'npm unpublish': 'dry-run f,force w,workspace: workspaces registry: otp:',
  'npm audit':
    'audit-level: dry-run f,force json package-lock-only omit: include: ignore-scripts w,workspace: workspaces registry:',
  'yarn add':
    'D,dev P,peer O,optional E,exact T,tilde C,caret W,ignore-workspace-root-check json i,interactive audit A,all cached mode:',
  'pnpm add':
    'P,save-prod D,save-dev O,save-optional save-peer E,save-exact g,global w,workspace-root workspace ignore-scripts ignore-workspace-root-check save-catalog C,dir: F,filter: r,recursive force registry: reporter: loglevel: allow-build: config',
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
  'cargo clippy': `fix allow-dirty allow-staged no-deps p,package: workspace exclude: all lib bins tests examples benches all-targets r,release profile: ${CARGO}`,
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
  'apt install':
    'y,yes,assume-yes assume-no f,fix-broken m,fix-missing,ignore-missing d,download-only q,quiet s,dry-run,just-print,recon,no-act,simulate u,show-upgraded V,verbose-versions reinstall purge autoremove,auto-remove no-install-recommends install-recommends no-upgrade only-upgrade allow-downgrades allow-remove-essential allow-change-held-packages allow-unauthenticated no-download print-uris t,target-release,default-release: o,option: c,config-file: no-remove',
  rsync:
    'v,verbose info: debug: stderr: q,quiet no-motd c,checksum a,archive r,recursive R,relative no-implied-dirs b,backup backup-dir: suffix: u,update inplace append append-verify d,dirs mkpath l,links L,copy-links copy-unsafe-links safe-links munge-links k,copy-dirlinks K,keep-dirlinks H,hard-links p,perms E,executability chmod: A,acls X,xattrs o,owner g,group D devices copy-devices write-devices specials t,times U,atimes open-noatime N,crtimes O,omit-dir-times J,omit-link-times super fake-super S,sparse preallocate n,dry-run W,whole-file checksum-choice: x,one-file-system B,block-size: e,rsh: rsync-path: existing ignore-existing remove-sent-files,remove-source-files del,delete delete-before delete-during delete-delay delete-after delete-excluded ignore-missing-args delete-missing-args ignore-errors force max-delete: max-size: min-size: max-alloc: partial partial-dir: delay-updates m,prune-empty-dirs numeric-ids usermap: groupmap: chown: timeout: contimeout: I,ignore-times size-only @,modify-window: T,temp-dir: y,fuzzy compare-dest: copy-dest: link-dest: z,compress compress-choice: compress-level: skip-compress: C,cvs-exclude f,filter: F exclude: exclude-from: include: include-from: files-from: 0,from0 s,secluded-args,protect-args old-args address: port: sockopts: blocking-io outbuf: stats 8,8-bit-output h,human-readable progress P i,itemize-changes M,remote-option: out-format: log-file: log-file-format: password-file: early-input: list-only bwlimit: stop-after: stop-at: write-batch: only-write-batch: read-batch: protocol: iconv: checksum-seed: 4,ipv4 6,ipv6',
  psql: 'c,command: d,dbname: f,file: l,list v,set,variable: V X,no-psqlrc 1,single-transaction a,echo-all b,echo-errors e,echo-queries E,echo-hidden L,log-file: n,no-readline o,output: q,quiet s,single-step S,single-line A,no-align csv F,field-separator: H,html P,pset: R,record-separator: t,tuples-only T,table-attr: x,expanded z,field-separator-zero 0,record-separator-zero h,host: p,port: U,username: w,no-password W,password',
  find: 'single delete exec execdir ok okdir fprint fprint0 fprintf fls',
  'docker save': 'o,output: platform:',
  'docker load': 'i,input: platform: q,quiet',
  'docker swarm leave': 'f,force',
  'docker node rm': 'f,force',
  'docker plugin rm': 'f,force',
  'docker plugin install': 'alias: disable disable-content-trust grant-all-permissions',
  'docker context rm': 'f,force',
  'docker commit': 'a,author: c,change: m,message: p,pause',
  'kubectl create': `dry-run? edit f,filename: k,kustomize: o,output: raw: R,recursive save-config l,selector: validate? ${KUBECTL}`,
  'kubectl patch': `dry-run? f,filename: k,kustomize: local o,output: p,patch: patch-file: R,recursive subresource: type: ${KUBECTL}`,
  'kubectl edit': `f,filename: k,kustomize: o,output: R,recursive save-config subresource: validate? ${KUBECTL}`,
  'kubectl label': `all A,all-namespaces dry-run? f,filename: k,kustomize: list local o,output: overwrite? R,recursive l,selector: ${KUBECTL}`,
  'kubectl annotate': `all A,all-namespaces dry-run? f,filename: k,kustomize: list local o,output: overwrite? R,recursive l,selector: ${KUBECTL}`,
  'kubectl rollout restart': `f,filename: k,kustomize: o,output: R,recursive l,selector: ${KUBECTL}`,
  'kubectl rollout undo': `dry-run? f,filename: k,kustomize: o,output: R,recursive l,selector: to-revision: ${KUBECTL}`,
  'kubectl set image': `all dry-run? f,filename: k,kustomize: local o,output: R,recursive l,selector: ${KUBECTL}`,
  'kubectl taint': `all dry-run? o,output: overwrite? l,selector: validate? ${KUBECTL}`,
  'kubectl cordon': `dry-run? l,selector: ${KUBECTL}`,
  'gh pr create':
    'a,assignee: B,base: b,body: F,body-file: d,draft f,fill H,head: l,label: m,milestone: no-maintainer-edit p,project: recover: r,reviewer: t,title: w,web R,repo:',
  'gh pr ready': 'undo R,repo:',
  'gh issue create': 'a,assignee: b,body: F,body-file: l,label: m,milestone: p,project: recover: t,title: w,web R,repo:',
  'gh issue close': 'c,comment: r,reason: R,repo:',
  'gh release create':
    'discussion-category: d,draft generate-notes latest n,notes: F,notes-file: notes-start-tag: p,prerelease target: t,title: verify-tag R,repo:',
  'gh release edit': 'discussion-category: draft latest n,notes: F,notes-file: prerelease tag: target: t,title: R,repo:',
  'gh release upload': 'clobber R,repo:',
  'gh repo create':
    'add-readme c,clone d,description: disable-issues disable-wiki g,gitignore: h,homepage: include-all-branches internal l,license: private public push r,remote: s,source: t,team: p,template:',
  'gh repo edit':
    'add-topic: allow-forking allow-update-branch default-branch: delete-branch-on-merge d,description: enable-auto-merge enable-discussions enable-issues enable-merge-commit enable-projects enable-rebase-merge enable-squash-merge enable-wiki h,homepage: remove-topic: template visibility:',
  'gh repo fork': 'clone default-branch-only fork-name: org: remote remote-name:',
  'gh repo archive': 'y,yes',
  'gh repo sync': 'b,branch: force s,source:',
  'gh workflow run': 'F,field: json f,raw-field: r,ref: R,repo:',
  'gh secret set': 'a,app: b,body: e,env: f,env-file: no-store o,org: r,repos: u,user v,visibility: R,repo:',
  'gh gist create': 'd,desc: f,filename: p,public w,web',
  'gh label create': 'c,color: d,description: f,force R,repo:',
  'gh label delete': 'yes R,repo:',
  'gh auth login': 'p,git-protocol: h,hostname: s,scopes: w,web with-token',
  'gh auth refresh': 'h,hostname: s,scopes:',
  'gh extension install': 'pin:',
  'cargo build': `future-incompat-report message-format: p,package: workspace exclude: all lib bins bin: examples example: tests test: benches bench: all-targets r,release profile: artifact-dir: unit-graph timings ignore-rust-version ${CARGO}`,
  'cargo run': `message-format: p,package: bin: example: r,release profile: unit-graph timings ignore-rust-version ${CARGO}`,
  'cargo test': `no-run no-fail-fast future-incompat-report message-format: p,package: workspace exclude: all lib bins bin: examples example: tests test: benches bench: all-targets doc r,release profile: unit-graph timings ignore-rust-version ${CARGO}`,
  'cargo bench': `no-run no-fail-fast message-format: p,package: workspace exclude: all lib bins bin: examples example: tests test: benches bench: all-targets profile: unit-graph timings ignore-rust-version ${CARGO}`,
  'cargo check': `future-incompat-report message-format: p,package: workspace exclude: all lib bins bin: examples example: tests test: benches bench: all-targets r,release profile: unit-graph timings ignore-rust-version ${CARGO}`,
  'cargo fix': `edition edition-idioms broken-code allow-no-vcs allow-dirty allow-staged message-format: p,package: workspace exclude: all lib bins bin: examples example: tests test: benches bench: all-targets r,release profile: timings ignore-rust-version ${CARGO}`,
  'cargo update': `p,package? n,dry-run recursive precise: b,breaking w,workspace ignore-rust-version ${CARGO}`,
  'cargo remove': `n,dry-run dev build p,package: ${CARGO}`,
  'cargo add': `default-features optional no-optional public no-public rename: n,dry-run ignore-rust-version p,package: path: base: git: branch: tag: rev: registry: dev build ${CARGO}`,
  'cargo clean': `doc n,dry-run p,package: workspace r,release profile: ${CARGO}`,
  'cargo doc': `open no-deps document-private-items message-format: p,package: workspace exclude: all lib bins bin: examples example: r,release profile: unit-graph timings ignore-rust-version ${CARGO}`,
  'git archive': 'format: prefix: add-file: add-virtual-file: o,output: worktree-attributes v,verbose l,list remote: exec:',
  'git format-patch':
    'n,numbered N,no-numbered s,signoff stdout cover-letter numbered-files suffix: start-number: v,reroll-count: filename-max-length: rfc cover-from-description: subject-prefix: o,output-directory: k,keep-subject no-binary zero-commit ignore-if-in-upstream p,no-stat add-header: to: cc: from? in-reply-to: attach? inline? thread? signature: base: signature-file: q,quiet progress interdiff: range-diff: creation-factor: force-in-body-from',
  'git replace': 'l,list d,delete e,edit g,graft convert-graft-file f,force raw format:',
  'git update-index':
    'q ignore-submodules add replace remove unmerged refresh really-refresh cacheinfo: chmod: assume-unchanged no-assume-unchanged skip-worktree no-skip-worktree ignore-skip-worktree-entries info-only force-remove z stdin index-info unresolve g,again ignore-missing verbose clear-resolve-undo index-version: split-index untracked-cache test-untracked-cache force-untracked-cache force-write-index fsmonitor fsmonitor-valid no-fsmonitor-valid',
  'git gc': 'q,quiet prune? cruft aggressive auto force keep-largest-pack',
  'git prune': 'n,dry-run v,verbose progress expire: exclude-promisor-objects',
  'git notes': 'ref:',
  'git update-ref': 'm: d no-deref z stdin create-reflog',
  tar: 'A,catenate,concatenate c,create delete d,diff,compare r,append test-label t,list u,update x,get,extract g,listed-incremental: G,incremental level: n,seek occurrence? sparse-version: S,sparse add-file: C,directory: exclude: exclude-backups exclude-caches exclude-ignore: exclude-tag: exclude-vcs no-recursion null T,files-from: X,exclude-from: anchored ignore-case wildcards keep-newer-files k,keep-old-files no-overwrite-dir one-top-level? overwrite overwrite-dir recursive-unlink remove-files skip-old-files U,unlink-first W,verify O,to-stdout to-command: atime-preserve? group: mode: mtime: m,touch no-same-owner no-same-permissions numeric-owner owner: p,preserve-permissions,same-permissions same-owner sort: s,preserve-order,same-order acls selinux xattrs force-local f,file: F,info-script,new-volume-script: L,tape-length: M,multi-volume rmt-command: rsh-command: b,blocking-factor: B,read-full-records i,ignore-zeros record-size: H,format: posix V,label: a,auto-compress I,use-compress-program: j,bzip2 J,xz lzip lzma lzop zstd z,gzip,gunzip,ungzip Z,compress,uncompress backup? hard-dereference h,dereference K,starting-file: newer-mtime: N,newer,after-date: one-file-system P,absolute-names suffix: strip-components: transform,xform: checkpoint? checkpoint-action: index-file: l,check-links R,block-number totals? utc v,verbose warning: w,interactive,confirmation restrict o',
  make: 'b m B,always-make C,directory: d debug? e,environment-overrides E,eval: f,makefile,file: i,ignore-errors I,include-dir: j,jobs? k,keep-going l,load-average,max-load? L,check-symlink-times n,just-print,recon,dry-run o,old-file,assume-old: O,output-sync? p,print-data-base q,question r,no-builtin-rules R,no-builtin-variables s,silent,quiet no-silent S,no-keep-going,stop t,touch trace w,print-directory no-print-directory W,what-if,new-file,assume-new: warn-undefined-variables',
  ssh: '4 6 A a C f G g K k M N n q s T t V v X x Y y B: b: c: D: E: e: F: I: i: J: L: l: m: O: o: P: p: Q: R: S: W: w:',
  scp: '3 4 6 A B C O p q R r s T v c: D: F: i: J: l: o: P: S: X:',
  systemctl:
    'l,full a,all t,type: state: p,property: P: after before value show-types job-mode: i,ignore-inhibitors no-legend no-ask-password no-block wait no-wall no-reload f,force kill-who: s,signal: now q,quiet no-pager user system global runtime H,host: M,machine: n,lines: o,output: plain root: dry-run mkdir read-only timestamp:',
  pkill:
    'signal: q,queue: e,echo c,count f,full g,pgroup: G,group: i,ignore-case n,newest o,oldest O,older: P,parent: s,session: t,terminal: u,euid: U,uid: x,exact F,pidfile: L,logpidfile r,runstates: A,ignore-ancestors cgroup: ns: nslist:',
  killall:
    'e,exact I,ignore-case i,interactive g,process-group y,younger-than: o,older-than: q,quiet r,regexp s,signal: u,user: v,verbose w,wait n,ns: Z,context: l,list',
  patch:
    'b,backup B,prefix: c,context d,directory: D,ifdef: e,ed E,remove-empty-files f,force F,fuzz: g,get: i,input: l,ignore-whitespace m,merge? n,normal N,forward o,output: p,strip: r,reject-file: R,reverse s,quiet,silent t,batch T,set-time u,unified V,version-control: Y,basename-prefix: z,suffix: Z,set-utc binary dry-run posix verbose no-backup-if-mismatch',
  mysql:
    'e,execute: h,host: u,user: p,password? P,port: D,database: B,batch s,silent N,skip-column-names f,force S,socket: t,table E,vertical H,html X,xml v,verbose w,wait q,quick r,raw C,compress init-command: defaults-file: login-path: ssl-mode: protocol: safe-updates',
  perl: 'a c d? D? E,e: f F: i? I: l? m? M? n p s S t T u U v V? w W x? X',
  mount:
    'a,all B,bind F,fork f,fake i,internal-only l,show-labels M,move n,no-mtab N,namespace: O,test-opts: o,options: R,rbind r,read-only,ro s T,fstab: t,types: v,verbose w,rw,read-write L,label: U,uuid: source: target: make-private make-shared make-slave make-unbindable',
  gpg: 'a,armor b,detach-sign,detach-sig c,symmetric clear-sign,clearsign d,decrypt decrypt-files e,encrypt f,recipient-file: r,recipient: s,sign u,local-user: o,output: homedir: batch yes no q,quiet v,verbose import fetch-keys: recv-keys send-keys keyserver: export export-secret-key,export-secret-keys export-secret-subkeys delete-key,delete-keys delete-secret-key,delete-secret-keys delete-secret-and-public-key edit-key gen-key,generate-key full-generate-key,full-gen-key quick-generate-key,quick-gen-key gen-revoke,generate-revocation passphrase: passphrase-file: passphrase-fd: pinentry-mode: trust-model: always-trust k,list-key,list-public-keys,list-keys K,list-secret-keys',
  'deno run':
    'A,allow-all R,allow-read? W,allow-write? N,allow-net? E,allow-env? S,allow-sys? allow-run? allow-ffi? I,allow-import? deny-read? deny-write? deny-net? deny-env? deny-run? q,quiet r,reload? c,config: no-config no-check? check? L,log-level: import-map: lock? no-lock cached-only no-prompt no-remote no-npm node-modules-dir? vendor? env-file? inspect? inspect-brk? watch? unstable',
  node: 'e,eval: p,print c,check i,interactive r,require: import: C,conditions: input-type: env-file: loader: inspect? inspect-brk? watch test no-warnings max-old-space-size: experimental-strip-types',
  journalctl:
    'vacuum-size: vacuum-time: vacuum-files: rotate flush sync u,unit: user-unit: f,follow n,lines? r,reverse o,output: b,boot? k,dmesg S,since: U,until: p,priority: g,grep: q,quiet no-pager system user x,catalog e,pager-end a,all D,directory: disk-usage list-boots',
  az: 'y,yes n,name: g,resource-group: l,location: o,output: s subscription: query: ids: no-wait verbose debug only-show-errors f',
  'apt remove':
    'y,yes,assume-yes purge autoremove,auto-remove q,quiet s,dry-run,simulate o,option: c,config-file: allow-change-held-packages',
  'apt purge': 'y,yes,assume-yes autoremove,auto-remove q,quiet s,dry-run,simulate o,option: c,config-file:',
  'apt autoremove': 'y,yes,assume-yes purge q,quiet s,dry-run,simulate o,option: c,config-file:',
  'apt upgrade':
    'y,yes,assume-yes q,quiet s,dry-run,simulate o,option: c,config-file: with-new-pkgs d,download-only allow-downgrades',
  'apt full-upgrade': 'y,yes,assume-yes q,quiet s,dry-run,simulate o,option: c,config-file: d,download-only allow-downgrades',
  'brew install': 'f,force cask,casks formula,formulae d,debug v,verbose q,quiet HEAD s,build-from-source overwrite n,dry-run',
  'brew uninstall': 'f,force zap ignore-dependencies cask,casks formula,formulae d,debug v,verbose q,quiet',
  'brew upgrade': 'f,force greedy cask,casks formula,formulae d,debug v,verbose q,quiet n,dry-run',
  'go get': `flags t u? tool x insecure ${GO}`,
  'go install': `flags ${GO}`,
  'go build': `flags o: ${GO}`,
  'go run': `flags exec: ${GO}`,
  'go test': `flags bench: benchmem benchtime: count: cover covermode: coverpkg: coverprofile: cpu: cpuprofile: exec: failfast fuzz: fuzztime: list: memprofile: o: outputdir: parallel: run: short shuffle: skip: timeout: args c ${GO}`,
  'go clean': `flags i r cache testcache modcache fuzzcache ${GO}`,
  'go generate': `flags run: skip: ${GO}`,
  'go vet': `flags fix diff vettool: ${GO}`,
  'go env': 'flags w u json changed',
  'go mod tidy': 'flags e v x diff go: compat:',
  'go mod edit': 'flags require: droprequire: replace: dropreplace: exclude: dropexclude: go: toolchain: module: fmt print json',
  'npm cache clean': 'f,force prefix: cache:',
  'npm audit fix': 'dry-run f,force json package-lock-only omit: include: ignore-scripts w,workspace: workspaces',
  'npm version':
    'allow-same-version commit-hooks no-commit-hooks git-tag-version no-git-tag-version preid: sign-git-tag f,force json w,workspace: workspaces m,message:',
  'pnpm install':
    'f,force P,prod D,dev no-optional offline prefer-offline frozen-lockfile no-frozen-lockfile fix-lockfile lockfile-only ignore-scripts r,recursive F,filter: C,dir: shamefully-hoist reporter: s,silent loglevel: w,workspace-root',
  'pnpm update':
    'L,latest g,global r,recursive i,interactive D,dev P,prod no-optional F,filter: C,dir: w,workspace-root workspace depth:',
  'pnpm remove': 'g,global r,recursive D,save-dev O,save-optional P,save-prod F,filter: C,dir: w,workspace-root',
  'yarn remove': 'W,ignore-workspace-root-check A,all mode:',
  'helm rollback':
    'cleanup-on-fail dry-run? force history-max: no-hooks recreate-pods timeout: wait wait-for-jobs n,namespace: kube-context: kubeconfig:',
  jq: 'n,null-input r,raw-output raw-output0 j,join-output a,ascii-output c,compact-output s,slurp e,exit-status S,sort-keys C,color-output M,monochrome-output R,raw-input f,from-file: L,library-path: tab indent: unbuffered stream stream-errors seq arg: argjson: slurpfile: rawfile: args jsonargs b,binary',
  zip: 'A,adjust-sfx b,temp-path: c,entry-comments d,delete D,no-dir-entries e,encrypt F,fix fixfix filesync f,freshen g,grow i,include j,junk-paths J,junk-sfx k,DOS-names l,to-crlf from-crlf logfile-path: m,move must-match n,suffixes: o,latest-time O,output-file: p,paths P,password: q,quiet r,recurse-paths R,recurse-patterns s,split-size: t,from-date: before-date: T,test unzip-command: u,update U,copy-entries v,verbose x,exclude X,strip-extra y,symlinks z,archive-comment Z,compression-method: @,names-stdin h,help',
  gzip: 'c,stdout,to-stdout d,decompress,uncompress f,force k,keep l,list n,no-name N,name q,quiet r,recursive rsyncable S,suffix: synchronous t,test v,verbose 1,fast 9,best',
  bzip2: 'd,decompress z,compress k,keep f,force t,test c,stdout q,quiet v,verbose s,small fast best',
  xz: 'z,compress d,decompress,uncompress t,test l,list k,keep f,force c,stdout,to-stdout e,extreme T,threads: S,suffix: F,format: files? q,quiet v,verbose',
  zstd: 'o: k,keep rm d,decompress D: f,force c,stdout v,verbose q,quiet r T,threads: filelist: output-dir-flat: output-dir-mirror: l,list t,test train ultra',
  split:
    'a,suffix-length: additional-suffix: b,bytes: C,line-bytes: d numeric-suffixes? x hex-suffixes? e,elide-empty-files filter: l,lines: n,number: t,separator: u,unbuffered verbose',
  install:
    'backup? b c C,compare d,directory D g,group: m,mode: o,owner: p,preserve-timestamps s,strip strip-program: S,suffix: t,target-directory: T,no-target-directory v,verbose preserve-context Z context?',
  ls: 'a,all A,almost-all author b,escape block-size: B,ignore-backups c C color? d,directory D,dired f F,classify? file-type format: full-time g group-directories-first G,no-group h,human-readable si H,dereference-command-line hide: i,inode I,ignore: k,kibibytes l L,dereference m n,numeric-uid-gid N,literal o p q,hide-control-chars Q,quote-name r,reverse R,recursive s,size S sort: t time: time-style: T,tabsize: u U v w,width: x X Z,context 1',
  umount:
    'a,all A,all-targets c,no-canonicalize d,detach-loop fake f,force i,internal-only n,no-mtab l,lazy O,test-opts: R,recursive r,read-only t,types: v,verbose q,quiet N,namespace:',
  userdel: 'f,force r,remove R,root: P,prefix: Z,selinux-user',
  usermod:
    'a,append b,badname c,comment: d,home: e,expiredate: f,inactive: g,gid: G,groups: l,login: L,lock m,move-home o,non-unique p,password: r,remove R,root: P,prefix: s,shell: u,uid: U,unlock v,add-subuids: V,del-subuids: w,add-subgids: W,del-subgids: Z,selinux-user:',
  sysctl: 'a,A,X,all deprecated dry-run b,binary e,ignore N,names n,values p,f,load? system r,pattern: q,quiet w,write',
  wipefs: 'a,all b,backup? f,force i,noheadings J,json n,no-act O,output: o,offset: p,parsable q,quiet t,types:',
  swapoff: 'a,all v,verbose',
  modprobe:
    'a,all r,remove remove-dependencies R,resolve-alias f,force force-modversion force-vermagic i,ignore-install ignore-remove b,use-blacklist n,dry-run,show D,show-depends c,showconfig S,set-version: d,dirname: C,config: q,quiet s,syslog v,verbose',
  iptables:
    'A,append: C,check: D,delete: I,insert: R,replace: L,list? S,list-rules? F,flush? Z,zero? N,new-chain: X,delete-chain? P,policy: E,rename-chain: t,table: 4,ipv4 6,ipv6 p,protocol: s,source: d,destination: j,jump: g,goto: i,in-interface: o,out-interface: f,fragment m,match: c,set-counters: v,verbose w,wait? n,numeric x,exact line-numbers modprobe:',
  'ansible-playbook':
    'i,inventory,inventory-file: l,limit: t,tags: skip-tags: C,check D,diff e,extra-vars: b,become become-method: become-user: K,ask-become-pass k,ask-pass u,user: c,connection: f,forks: J,ask-vault-password,ask-vault-pass vault-id: vault-password-file,vault-pass-file: M,module-path: private-key,key-file: T,timeout: syntax-check list-hosts list-tags list-tasks step start-at-task: force-handlers flush-cache v,verbose',
  php: 'a,interactive c,php-ini: n,no-php-ini d,define: e f,file: l,syntax-check m,modules i,info r,run: B,process-begin: R,process-code: F,process-file: E,process-end: S,server: t,docroot: s,syntax-highlight w,strip z,zend-extension:',
  prettier:
    'c,check l,list-different w,write config: ignore-path: plugin: parser: cache log-level: stdin-filepath: u,ignore-unknown no-config',
  vercel:
    'prod y,yes f,force c,confirm d,debug t,token: T,team: S,scope: A,local-config: Q,global-config: e,env: b,build-env: m,meta: p,public prebuilt with-cache no-wait target: regions: l,logs cwd:',
  'netlify deploy':
    'd,dir: f,functions: p,prod prodIfUnlocked prod-if-unlocked a,auth: s,site: m,message: alias: b,branch: o,open build json trigger timeout: filter: skip-functions-cache',
  ...Object.fromEntries(
    ['up', 'destroy', 'refresh', 'cancel', 'stack rm', 'state delete', 'import', 'preview'].map((words) => [
      `pulumi ${words}`,
      PULUMI,
    ]),
  ),
  ...Object.fromEntries(
    ['install', 'remove', 'update', 'create', 'env remove', 'clean'].map((words) => [`conda ${words}`, CONDA]),
  ),
  'gem uninstall':
    'a,all I,ignore-dependencies D,check-development x,executables i,install-dir: n,bindir: user-install force v,version: q,quiet V,verbose',
  'git remote add': 'f,fetch tags no-tags t: m: mirror?',
  'git remote prune': 'n,dry-run',
  'git worktree prune': 'n,dry-run v,verbose expire:',
  'git lfs push': 'all dry-run object-id stdin',
  'docker cp': 'a,archive L,follow-link q,quiet',
  'docker logs': 'details f,follow since: n,tail: t,timestamps until:',
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
  pulumi: new Set(['-s', '--stack', '-C', '--cwd', '--color', '-v', '--verbose', '--config-file', '-m', '--message', '-p']),
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
    '--as-group',
    '--as-uid',
    '--cache-dir',
    '--certificate-authority',
    '--client-certificate',
    '--client-key',
    '--password',
    '--username',
    '--tls-server-name',
    '--request-timeout',
  ]),
  terraform: new Set(),
  gh: new Set(['-R', '--repo', '--hostname']),
  // `+toolchain` comes before the subcommand too.
  cargo: new Set(['--color', '--config', '-Z', '-C', '--manifest-path']),
  helm: new Set(['-n', '--namespace', '--kube-context', '--kubeconfig', '--kube-apiserver', '--kube-token', '--kube-as-user']),
  pnpm: new Set(['-C', '--dir', '-F', '--filter', '--reporter', '--loglevel']),
  yarn: new Set(['--cwd']),
  apt: new Set(['-o', '--option', '-c', '--config-file', '-t', '--target-release']),
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
  // Aliases and abbreviations of npm itself, and the subcommands that others share with it.
  ...synonyms('npm', {
    install: 'i|add|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall',
    uninstall: 'un|rm|r|remove|unlink',
    ci: 'clean-install|ic|install-clean|isntall-clean',
    update: 'u|up|upgrade|udpate',
    publish: 'pub|publ|publi|publis',
    unpublish: 'unp|unpu|unpub|unpubl|unpubli|unpublis',
    run: 'run-script|rum|urn',
    exec: 'x',
    config: 'c',
    'config set': 'set',
    'config get': 'get',
    'cache clean': 'cache clear',
    test: 't|tst',
    link: 'ln',
    adduser: 'login|add-user',
    owner: 'author',
    'dist-tag': 'dist-tags',
    view: 'info|show|v',
    version: 'verison',
    init: 'create|innit',
    rebuild: 'rb',
    dedupe: 'ddp',
    org: 'ogr',
    'install-test': 'it',
    'install-ci-test': 'cit|clean-install-test|sit',
  }),
  ...synonyms('pnpm', {
    install: 'i',
    run: 'run-script',
    remove: 'rm|un|uninstall',
    update: 'up|upgrade',
    link: 'ln',
    rebuild: 'rb',
  }),
  ...synonyms('cargo', { build: 'b', check: 'c', run: 'r', test: 't', doc: 'd', remove: 'rm' }),
  ...synonyms('git', { add: 'stage', 'remote remove': 'remote rm' }),
  ...synonyms('docker', {
    ...Object.fromEntries(
      'run exec kill stop restart create cp start pause unpause rename update commit attach logs top stats port diff wait export'
        .split(' ')
        .map((one) => [one, `container ${one}`]),
    ),
    ps: 'container ls|container list|container ps',
    images: 'image ls|image list',
    ...Object.fromEntries('push pull tag save load import history'.split(' ').map((one) => [one, `image ${one}`])),
    rm: 'container rm|container remove',
    rmi: 'image rm|image remove',
    build: 'image build|buildx build|buildx b|builder build',
    'builder prune': 'buildx prune',
    'volume rm': 'volume remove',
    'network rm': 'network remove',
    'service rm': 'service remove',
    'stack rm': 'stack remove|stack down',
    'stack deploy': 'stack up',
    'node rm': 'node remove',
    'plugin rm': 'plugin remove',
    'context rm': 'context remove',
    'secret rm': 'secret remove',
    'config rm': 'config remove',
  }),
  ...synonyms('kubectl', { 'config use-context': 'config use' }),
  ...synonyms('tmux', { 'new-session': 'new' }),
  ...synonyms('bundle', { exec: 'e' }),
  ...synonyms('bun', { add: 'a', remove: 'rm', install: 'i' }),
  ...synonyms('conda', { remove: 'uninstall' }),
  ...synonyms('nomad', { 'job stop': 'stop', 'job run': 'run', 'job plan': 'plan' }),
  ...synonyms('heroku', { 'apps:destroy': 'destroy|apps:delete', 'apps:create': 'create' }),
  ...synonyms('dnf', { remove: 'erase|rm' }),
  ...synonyms('yum', { remove: 'erase' }),
  ...synonyms('glab', { 'mr merge': 'mr accept' }),
  ...synonyms('terraform', { workspace: 'env' }),
  ...synonyms('helm', { uninstall: 'delete|del|un', 'repo remove': 'repo rm' }),
  ...synonyms('gh', {
    codespace: 'cs',
    extension: 'ext|extensions',
    attestation: 'at',
    ruleset: 'rs',
    ...Object.fromEntries(
      'pr issue release repo gist label secret variable run workflow codespace extension ssh-key gpg-key'
        .split(' ')
        .map((one) => [`${one} list`, `${one} ls`]),
    ),
    ...Object.fromEntries('secret variable'.split(' ').map((one) => [`${one} delete`, `${one} remove`])),
    'release create': 'release new',
    'pr create': 'pr new',
    'issue create': 'issue new',
    'repo create': 'repo new',
    'gist create': 'gist new',
  }),
  ...synonyms('brew', { uninstall: 'remove|rm' }),
  ...synonyms('composer', { install: 'i', update: 'u|upgrade', require: 'r', remove: 'rm|uninstall' }),
  ...synonyms('pulumi', { up: 'update', destroy: 'down|dn' }),
  ...synonyms('wrangler', { deploy: 'publish' }),
  ...synonyms('yarn', { publish: 'npm publish' }),
  ...abbreviations(
    'composer',
    `about archive audit browse bump check-platform-reqs clear-cache config create-project depends diagnose dump-autoload exec fund
    global home init install licenses outdated prohibits reinstall remove require run-script search self-update show status suggests
    update validate`,
  ),
  ...abbreviations(
    'gem',
    `build cert check cleanup contents dependency environment exec fetch help info install list lock mirror open outdated owner
    pristine push query rdoc rebuild search server signin signout sources specification stale uninstall unpack update which yank`,
  ),
  ...abbreviations(
    'bundle',
    `add binstubs cache check clean config console doctor exec gem info init inject install issue licenses list lock open outdated
    platform plugin pristine remove show update version viz`,
  ),
};

/** Unambiguous abbreviations of subcommands, for programs that accept them. */
function abbreviations(program: string, list: string): Record<string, string> {
  const all = list.split(/\s+/);
  const pairs = all.flatMap((one) =>
    Array.from({ length: Math.max(one.length - 2, 0) }, (_, i) => one.slice(0, i + 2))
      .filter((start) => all.every((other) => other === one || !other.startsWith(start)))
      .map((start) => [`${program} ${start}`, `${program} ${one}`]),
  );
  return Object.fromEntries(pairs);
}

/** Other names of subcommands, separated by `|`. */
function synonyms(program: string, names: Readonly<Record<string, string>>): Record<string, string> {
  const pairs = Object.entries(names).flatMap(([usual, others]) => others.split('|').map((other) => [other, usual]));
  return Object.fromEntries(pairs.map(([other, usual]) => [`${program} ${other}`, `${program} ${usual}`]));
}

/** Options that combine several other options. */
const SHORT_FOR: Readonly<Record<string, string[][]>> = {
  'git branch': [
    ['D', 'delete', 'force'],
    ['M', 'move', 'force'],
    ['C', 'copy', 'force'],
  ],
  rsync: ['before', 'during', 'delay', 'after', 'excluded'].map((when) => [`delete-${when}`, `delete-${when}`, 'delete']),
  // It evaluates the text, and prints the result.
  node: [['print', 'print', 'eval']],
  ...Object.fromEntries(['npm install', 'npm update'].map((words) => [words, [['location=global', 'global']]])),
};

/** Options before the subcommand that are global. In other programs, they are options of the subcommand as well. */
const GLOBAL_ONLY = new Set(['git', 'docker', 'terraform']);

const mostWords = 4;
const known = new Map<string, OptionNames>();

function namesOf(words: string): OptionNames | null {
  if (!Object.hasOwn(TABLE, words)) return null;
  let optionNames = known.get(words);
  if (optionNames === undefined) {
    const names = new Map<string, { name: string; takesValue: 'no' | 'yes' | 'attached' }>();
    const tokens = (TABLE[words] as string).split(' ');
    const isSingle = tokens[0] === 'single';
    const isFlags = tokens[0] === 'flags';
    for (const token of isSingle || isFlags ? tokens.slice(1) : tokens) {
      const takesValue = token.endsWith(':') ? 'yes' : token.endsWith('?') ? 'attached' : 'no';
      const all = token.replace(/[:?]$/, '').split(',');
      for (const name of all) names.set(name, { name: all.at(-1) as string, takesValue });
    }
    optionNames = { names, isSingle, isFlags };
    known.set(words, optionNames);
  }
  return optionNames;
}

/** A parsed command. Null represents an unknown word. */
export interface OptionForm {
  /** The words that select the command: `rm`, `git push`. */
  words: string;
  /** Canonical names, with a value as `name=value`. Sorted and without duplicates. */
  options: string[];
  operands: (string | null)[];
  /** Some option is not in the table. */
  isStrange: boolean;
  /** Some unknown word may be an option. */
  isOpen: boolean;
}

/** Programs with the subcommands and options of another one. */
const LIKE: ReadonlyMap<string, string> = new Map([
  ['podman', 'docker'],
  ['nerdctl', 'docker'],
  ['oc', 'kubectl'],
  ['tofu', 'terraform'],
  ['mariadb', 'mysql'],
  ['mamba', 'conda'],
  ['micromamba', 'conda'],
  ['ip6tables', 'iptables'],
  ['pigz', 'gzip'],
  ['pbzip2', 'bzip2'],
  ['gojq', 'jq'],
  ['jaq', 'jq'],
]);

const usualName = (words: string): string => (Object.hasOwn(SAME_WORDS, words) ? (SAME_WORDS[words] as string) : words);

/** Parses the words of a command with the table. Null if the command is not in the table. */
export function optionForm(given: readonly (string | null)[]): OptionForm | null {
  const argv = usualWords(given);
  const program = argv[0];
  if (program === undefined || program === null) return null;
  const name = LIKE.get(program) ?? program;
  let at = 1;
  let words = name;
  const inFront: string[] = [];
  const before = Object.hasOwn(BEFORE_SUBCOMMAND, name) ? BEFORE_SUBCOMMAND[name] : undefined;
  while (namesOf(words) === null) {
    while (before !== undefined && /^[-+]/.test(argv[at] ?? '')) {
      inFront.push(argv[at] as string);
      at += before.has(argv[at] as string) ? 2 : 1;
    }
    const word = argv[at];
    if (word === undefined || word === null || words.split(' ').length >= mostWords) return null;
    words = usualName(`${words} ${word}`);
    at++;
  }
  const { names, isSingle, isFlags } = namesOf(words) as OptionNames;
  const out: OptionForm = { words, options: [], operands: [], isStrange: false, isOpen: false };
  const options = new Set<string>();
  const take = (found: { name: string; takesValue: string }, attached: string | null): void => {
    if (attached === null && found.takesValue === 'yes') {
      const value = argv[++at];
      options.add(value === undefined || value === null ? found.name : `${found.name}=${value}`);
    } else options.add(attached === null ? found.name : `${found.name}=${attached}`);
  };
  if (!GLOBAL_ONLY.has(name))
    for (const word of inFront)
      for (const one of /^-\w/.test(word) && !isFlags ? word.slice(1) : [word.replace(/^--?/, '')]) {
        const found = names.get(one);
        if (found?.takesValue === 'no') options.add(found.name);
      }
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
      const found = isFlags && name.length === 1 ? (names.get(name) ?? null) : longName(names, name);
      if (found === null) out.isStrange = true;
      else take(found, equals === -1 ? null : word.slice(equals + 1));
    } else
      for (let k = 1; k < word.length; k++) {
        const found = names.get(word[k] as string);
        if (found === undefined) {
          out.isStrange = true;
          continue;
        }
        if (found.takesValue === 'no') options.add(found.name);
        else {
          const rest = word.slice(k + 1).replace(/^=/, '');
          take(found, rest === '' ? null : rest);
          break;
        }
      }
  }
  if (name !== program) out.words = program + words.slice(name.length);
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

/** A command whose options are compared as they are written, because the table does not have it. */
interface PlainForm {
  /** The program with its first operands. Twice: with all operands, and without those that may be the value of an option. */
  words: string[];
  /** `-f`, `--force` and `--level=3`, and an option with the next word as its value. */
  options: Set<string>;
  /** The same without assumed values. */
  written: string[];
  /** The same without splitting bundles, because `-run` may be one option. */
  whole: string[];
  /** All words that are not options. */
  all: string;
  isOpen: boolean;
}

/** Each operand of these programs selects something to run. */
const TARGETS = new Set(['make', 'bmake', 'just', 'task', 'rake', 'ninja', 'mvn', 'gradle', 'gradlew', 'mvnw']);

/** Reads options without a table: in any order and bundled, but without aliases. */
function plainForm(given: readonly (string | null)[], isModule = true): PlainForm {
  const [name = '', ...rest] = usualWords(given, isModule);
  const like = LIKE.get(name ?? '') ?? name ?? '';
  const beforeSubcommand = Object.hasOwn(BEFORE_SUBCOMMAND, like) ? BEFORE_SUBCOMMAND[like] : undefined;
  const operands: string[] = [];
  const unvalued: string[] = [];
  const options = new Set<string>();
  const written = new Set<string>();
  const whole = new Set<string>();
  const add = (option: string) => options.add(option) && written.add(option);
  let isOpen = false;
  let isValue = false;
  let isOver = false;
  const push = (word: string, wasOption: boolean) => {
    if (isOpen) return;
    operands.push(word);
    if (!wasOption) unvalued.push(word);
  };
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] as string | null;
    const wasOption = isValue;
    isValue = false;
    if (word !== null && operands.length === 0 && beforeSubcommand?.has(word)) {
      add(word);
      at++;
    } else if (word === null) isOpen ||= !wasOption || isOver;
    else if (word === '--') isOver = true;
    else if (operands.length === 0 && like === 'cargo' && word.startsWith('+')) continue;
    else if (!isOver && (/^-./.test(word) || /^[A-Za-z_]\w*=/.test(word))) {
      if (/^-[^-]/.test(word)) for (const letter of word.slice(1).replace(/=.*/s, '')) add(`-${letter}`);
      else add(word);
      whole.add(word);
      options.add(word).add(word.replace(/=.*/s, ''));
      const next = rest[at + 1];
      isValue = word.startsWith('-') && !word.includes('=');
      if (word.startsWith('--') && isValue && next && !next.startsWith('-')) options.add(`${word}=${next}`);
    } else push(word, wasOption);
  }
  const start = name ?? '';
  const all = wordsFrom(start, like, operands.slice(0, mostWords));
  const others = operands.length === unvalued.length ? [] : wordsFrom(start, like, unvalued.slice(0, mostWords));
  const targets = TARGETS.has(start) ? operands.map((one) => `${start} ${one}`) : [];
  return {
    words: [...new Set([start, ...all, ...others, ...targets])],
    options,
    written: [...written].sort(),
    whole: [...whole].sort(),
    all: operands.slice(mostWords).reduce((words, operand) => `${words} ${operand}`, all.at(-1) ?? start),
    isOpen,
  };
}

/** Both readings of `python -m pip`. */
const plainForms = (argv: readonly (string | null)[]): PlainForm[] => [
  plainForm(argv),
  ...(startsModule(argv) ? [plainForm(argv, false)] : []),
];

/** The program with its first operand, with its first two, and so on. */
function wordsFrom(name: string, like: string, operands: readonly string[]): string[] {
  let words = like;
  return operands.map((operand) => {
    words = usualName(`${words} ${operand}`);
    return name + words.slice(like.length);
  });
}

/** Rules with more options or operands than this are compared as text only. */
const mostOptions = 3;
const mostOperands = 2;
/** A call with more options is treated as a call with unknown options. */
const mostGiven = 20;
/** The same two limits for options that the table does not have. */
const mostPlain = 2;
const mostPlainGiven = 12;

const keyOf = (kind: string, words: string, options: readonly string[], operands: readonly string[]): string =>
  kind + [words, options.join('\t'), operands.join('\t')].join('\n');

export function optionRuleKey({ words, options, operands, isExact, isPlain }: OptionRule): string {
  return keyOf(`${isPlain ? '~' : ''}${isExact ? '+' : '-'}`, words, options, operands);
}

/**
 * The rule for the options in these words. `isPlain`: the table does not have all of them. Null if there are too many for a lookup,
 * or if the text is enough.
 */
export function optionRule(argv: readonly string[], isExact: boolean): OptionRule | null {
  const form = optionForm(argv);
  if (
    form !== null &&
    !form.isStrange &&
    form.options.length > 0 &&
    form.options.length <= mostOptions &&
    form.operands.length <= (TARGETS.has(form.words) ? 0 : mostOperands)
  )
    return { words: form.words, options: form.options, operands: form.operands as string[], isExact, isPlain: false };
  const { all, written: split, whole } = plainForm(argv);
  const written = split.length <= mostPlain ? split : whole;
  const isShort = written.length <= mostPlain && all.split(' ').length <= mostWords + 1;
  // The text is enough.
  const isText = isExact ? written.length === 0 && !isScript(argv[0]) : argv.length === 1 && argv[0]!.includes('/');
  if (!isShort || isText) return null;
  return { words: all, options: written, operands: [], isExact, isPlain: true };
}

/** The rules for words of which the last option has a star at its end: one for each option of the table that begins like it. */
export function optionRulesFrom(argv: readonly string[]): OptionRule[] {
  const before = argv.slice(0, -1);
  const start = (argv.at(-1) as string).replace(/=$/, '');
  const names = namesOf(optionForm(before)?.words ?? '')?.names ?? [];
  const longer = [...names].flatMap(([name]) => (name.length > 1 && `--${name}`.startsWith(start) ? [`--${name}`] : []));
  return [...new Set([start, ...longer])].flatMap((option) => optionRule([...before, option], false) ?? []);
}

/** All sets of at most `most` of the options. */
function subsetsOf(options: readonly string[], most: number): string[][] {
  const subsets: string[][] = [[]];
  for (const one of options) for (const subset of subsets.slice()) if (subset.length < most) subsets.push([...subset, one]);
  return subsets;
}

/** Operands of a command that are compared with the only operand of a rule. */
const mostNamed = 16;
/** Operands of a command, and beginnings of one operand, that are compared with the beginning in a rule: `rm -rf /*`. */
const mostStarted = 4;
const mostBeginnings = 6;

/** True for a beginning that ends with a slash. Others are compared as text only. */
export const isPrefix = (text: string): boolean => /^[^*?[\]$`~]*\/$/.test(text);

/** The folders that an operand begins with, each with a star. */
function beginningsOf(operand: string | null): string[] {
  const ends = [...(operand ?? '').matchAll(/\//g)].slice(0, mostBeginnings);
  return ends.map(({ index }) => `${operand!.slice(0, index + 1)}*`);
}

/** What a rule with one operand can name: each of the first operands, and the beginnings of some of them. */
const singles = (operands: readonly (string | null)[]): Set<string> =>
  new Set([
    ...operands.slice(0, mostNamed).filter((operand) => operand !== null),
    ...operands.slice(0, mostStarted).flatMap(beginningsOf),
  ]);

/** The keys of all rules that match a command with these words, and the words before an unknown part. */
export function optionKeys(argv: readonly (string | null)[]): { keys: string[]; open: string[] } {
  const keys: string[] = [];
  const plainOpen: string[] = [];
  for (const plain of plainForms(argv)) {
    for (const subset of subsetsOf([...plain.options].sort().slice(0, mostPlainGiven), mostPlain))
      for (const words of plain.words) keys.push(keyOf('~-', words, subset, []));
    if (!plain.isOpen && (plain.written.length > 0 || isScript(argv[0]))) keys.push(keyOf('~+', plain.all, plain.written, []));
    if (plain.isOpen || plain.options.size > mostPlainGiven) plainOpen.push(...plain.words);
  }
  const form = optionForm(argv);
  if (form === null) return { keys, open: plainOpen.map(openWords) };
  // A rule may name an option with or without its value.
  const given = [
    ...new Set(form.options.flatMap((one) => (one.includes('=') ? [one, one.slice(0, one.indexOf('='))] : [one]))),
  ].sort();
  const open = form.isOpen || given.length > mostGiven ? [form.words] : [];
  const [first, second] = form.operands;
  const operands: string[][] = [[], ...[...singles(form.operands)].map((one) => [one])];
  if (typeof first === 'string' && typeof second === 'string') operands.push([first, second]);
  for (const subset of subsetsOf(given.slice(0, mostGiven), mostOptions).filter((subset) => subset.length > 0))
    for (const some of operands) keys.push(keyOf('-', form.words, subset, some));
  if (!form.isOpen && !form.isStrange) keys.push(keyOf('+', form.words, form.options, form.operands as string[]));
  return { keys, open: [...open, ...plainOpen.map(openWords)] };
}

/** Words of a rule for a command with further unknown options. No command text ends like this. */
export const openWords = (words: string): string => `${words}\t`;

/** The same comparison without keys. */
export function matchesOptions(rule: OptionRule, argv: readonly (string | null)[]): boolean {
  const { words, options, operands, isExact } = rule;
  if (rule.isPlain)
    return plainForms(argv).some((plain) => {
      if (isExact) return !plain.isOpen && plain.all === words && plain.written.join('\n') === options.join('\n');
      const given = [...plain.options].sort().slice(0, mostPlainGiven);
      return plain.words.includes(words) && options.every((one) => given.includes(one));
    });
  const form = optionForm(argv);
  if (form === null || form.words !== words) return false;
  if (isExact)
    return (
      !form.isStrange &&
      form.options.join('\n') === options.join('\n') &&
      form.operands.length === operands.length &&
      operands.every((one, at) => form.operands[at] === one)
    );
  return (
    options.every((one) => form.options.some((other) => other === one || other.startsWith(`${one}=`))) &&
    (operands.length === 1 ? singles(form.operands).has(operands[0]!) : operands.every((one, at) => form.operands[at] === one))
  );
}
