// Sequences of two or three commands, as an agent would make them that first prepares something and then writes: each is decided as the
// one before has left the disk, and run for real where it is let through. The model: what the mode denies to write never changes.
import type { Pick } from './mutate.ts';
import { type Picture, Sandbox } from './sandbox.ts';
import type { Target } from './target.ts';

const DENIED = ['Write(/src/**)', 'Write(.env)', 'Write(/conf/app.json)', 'Write(*.lock)', 'Write(/docs/fixed/**)'];

const FILES: Record<string, string> = {
  'src/calc.ts': 'export const calc = 1;\n',
  'src/sub/b.ts': 'export const b = 2;\n',
  'src/yarn.lock': 'src\n',
  '.env': 'KEY=1\n',
  'conf/app.json': '{"a":1}\n',
  'conf/open.json': '{}\n',
  'yarn.lock': 'lock\n',
  'docs/a.md': 'a\n',
  'docs/fixed/f.md': 'fixed\n',
  'test/a.txt': 'a\n',
  'test/deep/b.txt': 'b\n',
  'test/deep/er/c.txt': 'c\n',
  'fixtures/f.json': '{}\n',
  'fixtures/.env': 'FIX=1\n',
  // Links that the repository ships; one leads elsewhere from the folder above it.
  shipped: '-> src',
  'test/one.ts': '-> ../src/calc.ts',
  'test/deep/src': '-> ../src',
  'test/deep/er/up': '-> ../../docs',
  'test/ok': '-> ../fixtures',
};

/** A name below the sandbox that no command may have changed, made or removed. */
function isDenied(name: string): boolean {
  const [, place, rest = ''] = /^(project|tree)\/(.*)$/s.exec(name) ?? [];
  if (place === undefined) return /^home\/\.(?:bashrc|gitconfig)$/.test(name);
  if (/^(?:src|docs\/fixed)\/./.test(rest) || rest === 'conf/app.json') return true;
  return /(?:^|\/)(?:\.env|[^/]*\.lock)$/.test(rest) || /(?:^|\/)(?:\.claude(?:\/|$)|\.git\/(?:config$|hooks|info))/.test(rest);
}

/** What changed of what is denied. */
export function harm(before: Picture, after: Picture): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(isDenied);
  // A folder below those is what its files are.
  return names.filter((name) => before.get(name) !== after.get(name));
}

const OPEN_FOLDERS = [
  'test',
  'test/deep',
  'test/deep/er',
  'docs',
  'fixtures',
  'conf',
  'new',
  'test/n',
  'test/l',
  'a',
  '.',
  '../tree/test',
];
const OPEN_FILES = [
  'test/a.txt',
  'test/deep/b.txt',
  'docs/a.md',
  'conf/open.json',
  'test/x',
  'test/l',
  'new/x',
  'x',
  'l',
  'a/b',
  'test/one',
  'out.tar',
];
const DENIED_FOLDERS = ['src', 'src/sub', 'docs/fixed', '.', '../tree/src'];
const DENIED_FILES = [
  'src/calc.ts',
  'src/sub/b.ts',
  'src/new.ts',
  '.env',
  'conf/app.json',
  'yarn.lock',
  'docs/fixed/f.md',
  'fixtures/.env',
];
const LINKS = ['shipped', 'test/one.ts', 'test/deep/src', 'test/deep/er/up', 'test/ok', 'test/l', 'l', 'test/deep', 'a'];
const BELOW = ['calc.ts', 'sub/b.ts', 'f.md', 'app.json', '.env', 'x', 'src/calc.ts', 'fixed/f.md', 'yarn.lock', 'b.txt'];

class Maker {
  constructor(private readonly pick: Pick) {}

  one<T>(list: readonly T[]): T {
    return list[this.pick(list.length)] as T;
  }

  chance(of: number): boolean {
    return this.pick(of) === 0;
  }

  /** A path from the project's top, as the folder in force would write it. */
  private from(name: string, folder: string): string {
    if (this.chance(12)) return this.one(['"$PWD"/', '$PWD/', '${PWD}/']) + (folder === '.' ? name : relative(folder, name));
    return folder === '.' ? name : relative(folder, name);
  }

  private spelled(text: string): string {
    switch (this.pick(24)) {
      case 0:
        return `./${text}`.replace(/^\.\/(?=["$.])/, '');
      case 1:
        return `"${text}"`.replaceAll('""', '');
      case 2:
        return /["$]/.test(text) ? text : `'${text}'`;
      case 3:
        return text.replace(/(\w)(\w*)$/, '$1{$2,}').replace(/\{(\w*),\}/, '{$1,$1}');
      case 4:
        return text.replace(/\w(?=\w*$)/, '?');
      case 5:
        return text.replace(/\//, '//');
      case 6:
        return text.replace(/^(\w+)\//, '$1/./');
      case 7:
        return `${text}/`;
      default:
        return text;
    }
  }

  folder(folder: string): string {
    return this.spelled(this.from(this.one(this.chance(3) ? DENIED_FOLDERS : OPEN_FOLDERS), folder));
  }

  file(folder: string): string {
    const name = this.chance(4)
      ? this.one(DENIED_FILES)
      : this.chance(3)
        ? `${this.one([...LINKS, ...OPEN_FOLDERS])}/${this.one(BELOW)}`
        : this.one(OPEN_FILES);
    return this.spelled(this.from(name, folder));
  }

  link(folder: string): string {
    return this.spelled(this.from(this.one(LINKS), folder));
  }

  /** The text of a link. */
  private text(): string {
    const name = this.one([...DENIED_FOLDERS, ...DENIED_FILES, ...OPEN_FOLDERS, ...LINKS, 'src/new']);
    const up = this.one(['', '../', '../', '../../', './', 'deep/../', '../test/../', '../docs/../']);
    return this.spelled(up + name);
  }

  /** Something that may come to lead elsewhere. */
  prepare(at: string): string {
    const [f, g, d, e, l] = [this.file(at), this.file(at), this.folder(at), this.folder(at), this.link(at)];
    return this.one<() => string>([
      () => `ln -s${this.one(['', 'f', 'n', 'fn', 'r', 'T', 'fT'])} ${this.text()} ${this.one([f, d])}`,
      () => `ln -s${this.one(['', 'f'])} -t ${d} ${this.text()} ${this.text()}`,
      () => `ln ${this.one([f, l])} ${g}`,
      () =>
        `cp -${this.one(['P', 'a', 'R', 'r', 'd', 'al', 'rs', 's', 'l', 'aT', 'rL', 'H', 'RP', 'u'])} ${this.one([l, l, d, f])} ${this.one([d, f])}`,
      () => `cp -a ${d}/. ${e}`,
      () => `cp -r ${d}/* ${e}`,
      () => `cp --parents -a ${this.one([l, f])} ${d}`,
      () => `mv ${this.one(['', '-f ', '-T ', '-n '])}${this.one([l, l, d, f])} ${this.one([d, f])}`,
      () => `mv -t ${d} ${l} ${f}`,
      () => `mv ${d}/* ${e}`,
      () => `mkdir -p ${this.one([d, `${d}/n`, f])}`,
      () => `rm -rf ${this.one([d, l, f])}`,
      () => `rmdir ${d}`,
      () => `git mv ${this.one([l, d, f])} ${this.one([d, f])}`,
      () =>
        `git ${this.one(['checkout', 'checkout --', 'restore', 'checkout HEAD --', 'restore --source=HEAD', 'checkout other --'])} ${this.one([l, d, f, '.'])}`,
      () => `git rm -q ${this.one(['--cached', '-r', '-f'])} ${this.one([l, d, f])}`,
      () =>
        this.one([
          'git stash',
          'git stash pop',
          'git reset -q --hard',
          'git checkout -q other',
          'git checkout -qb more',
          'git reset -q',
          'git add -A',
          'git commit -qam x',
          'git clean -fd',
        ]),
      () =>
        `git update-index --add --cacheinfo 120000,$(printf %s ${this.text()} | git hash-object -w --stdin),test/late; git checkout -- test/late`,
      () =>
        `h=$(printf %s ${this.text()} | git hash-object -w --stdin) && git update-index --add --cacheinfo "120000,$h,test/late"`,
      () => `git checkout -- ${this.one(['test/late', 'test', 'test/l?te', '.'])}`,
      () => `git worktree add -q ${d} ${this.one(['HEAD', '-b w'])}`,
      () => `tar cf ${this.one(['out.tar', 'test/out.tar'])} ${this.one([d, l])}`,
      () => `tar xf ${this.one(['out.tar', 'test/out.tar'])} -C ${d}`,
      () => `tar c ${this.one([d, l])} | tar x -C ${e}`,
      () => `zip -qry test/z.zip ${this.one([d, l])}; unzip -qo test/z.zip -d ${e}`,
      () => `find ${d} -type l -exec ${this.one(['mv', 'cp -P'])} {} ${e} \\;`,
      () => `find ${d} -name '${this.one(['*.ts', 's*', 'l', 'up'])}' | xargs -I{} ${this.one(['mv', 'cp -a', 'ln -s'])} {} ${e}`,
      () => `echo ${this.text()} | xargs -I{} ln -s {} ${f}`,
      () => `${this.one(['exec 3>', 'exec 4>>'])} ${f}`,
      () => `x=${this.one([d, f, l, this.text()])}`,
      () => `f() { ${this.one(['cp -a', 'ln -s', 'mv'])} "$1" "$2"; }; f ${this.one([this.text(), l])} ${f}`,
      () => `for i in ${this.text()} ${l}; do ${this.one(['ln -s', 'cp -a', 'mv'])} $i ${this.one([d, `${d}/n`])}; done`,
      () => `chmod ${this.one(['-R a+x', '700', '-x'])} ${this.one([d, f])}`,
      () => `install -${this.one(['D', 'd', 'm 700'])} ${f} ${this.one([g, d])}`,
      () => `link ${f} ${g}`,
      () => `env -C ${d} ln -s ${this.text()} ${this.one(['l', 'n', 'x'])}`,
      () =>
        `git apply <<'E'\ndiff --git a/test/pl b/test/pl\nnew file mode 120000\n--- /dev/null\n+++ b/test/pl\n@@ -0,0 +1 @@\n+${this.text()}\n\\ No newline at end of file\nE`,
      () => `git clone -q . ${d}`,
      () => `cd ${d}`,
    ])();
  }

  /** Something that writes. */
  write(at: string): string {
    const [f, g, d] = [this.file(at), this.file(at), this.folder(at)];
    const t = this.one([
      f,
      f,
      f,
      this.link(at),
      `test/l/${this.one(BELOW)}`,
      `l/${this.one(BELOW)}`,
      `test/deep/${this.one(BELOW)}`,
    ]);
    return this.one<() => string>([
      () => `echo taken ${this.one(['>', '>>', '>|', '&>', '1>', '2>'])} ${t}`,
      () => `echo taken | tee ${this.one(['', '-a '])}${t} ${this.one(['', g])}`,
      () => `cat <<E > ${t}\ntaken\nE`,
      () => `cat > ${t} <<< taken`,
      () => `sed -i${this.one(['', '.bak'])} s/./taken/ ${t}`,
      () => `dd if=docs/a.md of=${t} 2>/dev/null`,
      () => `cp ${this.one(['', '-f ', '-L '])}${this.one(['docs/a.md', g])} ${t}`,
      () => `mv ${g} ${t}`,
      () => `install -m 644 docs/a.md ${t}`,
      () => `truncate -s 0 ${t}`,
      () => `touch ${t}`,
      () => `rm -${this.one(['f', 'rf'])} ${t}`,
      () => `unlink ${t}`,
      () => `chmod a+x ${t}`,
      () => `ln -f docs/a.md ${t}`,
      () => `echo ${t} | xargs ${this.one(['touch', 'rm -f', 'truncate -s 1', 'sed -i s/a/b/'])}`,
      () =>
        `find ${d} -name '${this.one(['*.ts', 'calc*', '.env', '*.lock', 'f.md'])}' -exec ${this.one(['rm -f {} \\;', 'sed -i s/./t/ {} +', 'truncate -s 1 {} \\;', 'cp docs/a.md {} \\;'])}`,
      () => `find ${d} -type f ${this.one(['-delete', '-newer docs/a.md -delete'])}`,
      () => `for i in ${f} ${g}; do echo taken > $i; done`,
      () => `for i in ${d}/*; do echo taken > "$i"; done`,
      () => `echo ${t} | while read -r n; do echo taken > "$n"; done`,
      () => `printf -v y %s ${t}; echo taken > "$y"`,
      () => `a=(${t} ${g}); echo taken > "\${a[0]}"`,
      () => `echo taken > $(echo ${t})`,
      () => `echo taken > \`echo ${t}\``,
      () => `eval "echo taken > ${t.replaceAll('"', '')}"`,
      () => `bash -c 'echo taken > ${t.replaceAll("'", '')}'`,
      () => `env -C ${d} touch ${this.one(BELOW)}`,
      () => `(cd ${d} && echo taken > ${this.one(BELOW)})`,
      () => `pushd ${d} >/dev/null; echo taken > ${this.one(BELOW)}; popd`,
      () => `echo taken >&3`,
      () => `sort -o ${t} docs/a.md`,
      () => `patch -s ${t} <<'E'\n--- a\n+++ b\n@@ -1 +1 @@\n-a\n+taken\nE`,
      () => `gzip -kf ${t}; gzip -f ${g}`,
      () => `split -l 1 docs/a.md ${t}`,
      () => `git checkout other -- ${t}`,
      () => `git show HEAD:docs/a.md > ${t}`,
      () => `git archive -o ${t} HEAD`,
      () => `git diff --output=${t}`,
      () => `awk '{print > "${t.replaceAll(/["']/g, '')}"}' docs/a.md`,
      () => `{ echo taken; } > ${t}`,
      () => `mkdir -p ${t} && touch ${t}/x`,
      () => `cp -r fixtures/. ${this.one([d, t])}`,
      () => `cp -a --parents test/a.txt ${d}`,
      () => `tar c docs/a.md | tar x -C ${d}`,
      () => `[[ -e ${f} ]] && echo taken > ${t} || touch ${g}`,
      () => `if true; then echo taken > ${t}; fi`,
      () => `case x in x) touch ${t};; esac`,
      () => `x=${t}; echo taken > \${x}`,
      () => `: > ${t}`,
      () => `csplit -s docs/a.md 1 -f ${t}`,
      () => `curl -s file:///etc/hostname -o ${t}`,
    ])();
  }

  private wrap(text: string): string {
    switch (this.pick(24)) {
      case 0:
        return `(${text})`;
      case 1:
        return `{ ${text}\n}`;
      case 2:
        return /['\n]/.test(text) ? text : `bash -c '${text}'`;
      case 3:
        return this.chance(3) ? `(sleep 0.2; ${text}) &` : text;
      case 4:
        return `true && ${text}`;
      case 5:
        return /\n/.test(text) ? text : `command ${text}`;
      case 6:
        return /["'$\n`\\]/.test(text) ? text : `eval "${text}"`;
      default:
        return text;
    }
  }

  call(at: string, isLast: boolean): string {
    const parts = this.chance(3) ? 2 : 1;
    const made: string[] = [];
    if (this.chance(6)) made.push(`cd ${this.folder(at)}`);
    for (let n = 0; n < parts; n++)
      made.push(this.wrap((isLast ? n === parts - 1 : this.chance(5)) ? this.write(at) : this.prepare(at)));
    // Behind a part that goes to the background, or a here-document, only a line's end may follow.
    return made.join(made.some((part) => /&$|<</.test(part)) ? '\n' : this.one(['; ', ' && ', '\n']));
  }
}

function relative(folder: string, name: string): string {
  const up = folder
    .split('/')
    .map(() => '..')
    .join('/');
  return name.startsWith(`${folder}/`) ? name.slice(folder.length + 1) : `${up}/${name}`;
}

/** A part of the text runs in the background. */
const goesOn = (text: string): boolean => /\) &$/m.test(text);

const MARK = '\n--- then\n';

export async function sequenceTarget(): Promise<Target> {
  const counts = new Map<string, number>();
  const sandbox = await Sandbox.open({
    files: FILES,
    folders: ['a'],
    permissions: {
      deny: DENIED,
      allow: ['Bash(mkdir:*)', 'Write(/test/**)', 'Write(/new/**)', 'Bash(@writes)', 'Bash(@read-only)'],
    },
  });
  return {
    name: 'sequences',
    seeds: [],
    words: [],
    isMade: true,
    longestMs: 5_000,
    make(pick) {
      const maker = new Maker(pick);
      const count = 2 + pick(2);
      const folder = pick(4) === 0 ? maker.one(['test', 'docs', 'test/deep']) : '.';
      const calls = Array.from({ length: count }, (_, n) => maker.call(n === 0 ? '.' : folder, n === count - 1));
      // Some wait for what goes on in the background.
      return calls.map((call, n) => (n > 0 && goesOn(calls[n - 1]!) ? `sleep 0.4; ${call}` : call)).join(MARK);
    },
    async check(text) {
      let cwd = sandbox.root;
      let ran = '';
      for (const call of text.split(MARK)) {
        const { decision, by } = sandbox.decide(call, cwd);
        counts.set(decision, (counts.get(decision) ?? 0) + 1);
        if (by === 'fault') return 'could not be decided';
        if (decision !== 'allow' && decision !== 'pass') continue;
        ran += `${call}\n`;
        cwd = await sandbox.run(call, cwd);
      }
      if (ran === '') return null;
      if (goesOn(ran)) await sandbox.settle();
      const now = sandbox.picture();
      const harmed = harm(sandbox.before, now);
      sandbox.reset(now, /git/.test(ran));
      return harmed.length === 0 ? null : `changed ${harmed.slice(0, 3).join(', ')}`;
    },
    tells: () => [...counts].map(([decision, count]) => `${count} ${decision}`).join(', '),
    close: () => sandbox.close(),
  };
}
