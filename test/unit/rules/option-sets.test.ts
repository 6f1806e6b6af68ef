// Options in deny and ask are a set: every spelling of the same options is the same to a rule.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRule } from '../../../src/adapters/sdk/rule.ts';
import { commandFacts, commandKey } from '../../../src/facts/paths/keys.ts';
import { analyse } from '../../../src/shell/analyse.ts';
import { matchesOptions, optionRuleKey } from '../../../src/shell/option-sets.ts';
import { judgeBash } from '../../support/judge.ts';
import { makeTree } from '../../support/tree.ts';

/** True when the rule matches the command by its options, by the key and by the direct reading, which must agree. */
function isMatched(rule: string, command: string): boolean {
  const read = parseRule(rule, 'deny');
  if ('problem' in read || read.rule.kind !== 'bash' || read.rule.options === undefined)
    throw new Error(`${rule} names no known options`);
  const { options } = read.rule;
  const facts = analyse(command, { cwd: '/p', home: '/h' }).commands.map((one) => commandFacts(one, '/p'));
  const byKey = facts.some(({ keys }) => options.some((one) => keys.includes(commandKey.options(optionRuleKey(one)))));
  const given = facts.flatMap(({ argv, contained = [] }) => [argv, ...contained]);
  expect(given.some((argv) => options.some((one) => matchesOptions(one, argv)))).toBe(byKey);
  return byKey;
}

const rows: Record<string, { same: string[]; other: string[] }> = {
  'Bash(tar xf:*)': {
    same: ['tar -xf a', 'tar xvf a', 'tar -x -f a', 'tar --extract --file=a', 'tar xzf a'],
    other: ['tar tf a', 'tar cf a b'],
  },
  'Bash(tar czf:*)': { same: ['tar -czf a b', 'tar -c -z -f a b', 'tar --create --gzip --file=a b'], other: ['tar cf a b'] },
  'Bash(du -sh:*)': { same: ['du -hs x', 'du --summarize -h', 'du x -s --human-readable'], other: ['du -s x'] },
  'Bash(date -s:*)': { same: ['date --set x', 'date --set=x', 'date -us x'], other: ['date -u'] },
  'Bash(su -c:*)': { same: ['su --command=x', 'su a -c x'], other: ['su a'] },
  'Bash(head -c:*)': { same: ['head --bytes=1 a', 'head a -c1'], other: ['head -n1 a'] },
  'Bash(rm -rf:*)': {
    same: [
      'rm -fr x',
      'rm -r -f x',
      'rm x -rf',
      'rm --recursive --force x',
      'rm --recurs --f x',
      'rm -Rf x',
      '/bin/rm -f x -r',
      'sudo rm -vfr x',
      'rm -rfv -d --one-file-system x',
    ],
    other: ['rm -r x', 'rm -f x', 'rm x', 'rm -- -rf'],
  },
  'Bash(composer require:*)': { same: ['composer req x', 'composer -n requ x'], other: ['composer re x', 'composer remove x'] },
  'Bash(gem push:*)': { same: ['gem pus x', 'gem --norc push x'], other: ['gem pristine x'] },
  'Bash(npm unpublish:*)': { same: ['npm unpub x'], other: ['npm un x'] },
  'Bash(git log -p:*)': { same: ['git log --patch', 'git log --oneline -u x'], other: ['git log --stat'] },
  'Bash(git diff --cached:*)': { same: ['git diff --staged', 'git diff x --stag'], other: ['git diff'] },
  'Bash(rm -rf /*)': {
    same: ['rm -fr /', 'rm -r -f /etc', 'rm --recursive --force /etc/x', 'rm -rf x /etc', 'rm /etc -rf', 'sudo rm -fr /etc'],
    other: ['rm -fr x', 'rm -r /etc', 'rm -fr x/etc'],
  },
  'Bash(rm -rf dist:*)': {
    same: ['rm -fr dist', 'rm -rf build dist', 'rm -rf -- build ./dist', 'rm -r a b c d e f g h i j k l m n o dist -f'],
    other: ['rm -r dist', 'rm -rf dists', 'rm -rf build'],
  },
  'Bash(rm -rf a b:*)': { same: ['rm -fr a b c'], other: ['rm -rf b a', 'rm -rf c a b'] },
  'Bash(chmod -R 777:*)': { same: ['chmod 777 -R a', 'chmod --recursive 0777 a'], other: ['chmod -R 770 a'] },
  'Bash(rm -rf src/*)': { same: ['rm -fr src/a', 'rm -r -f src/a/b'], other: ['rm -fr src', 'rm -fr srcs/a'] },
  'Bash(git push --force:*)': {
    same: [
      'git push origin main --force',
      'git push -f',
      'git push origin +main',
      'git -C dir push --force',
      'git push -uf origin x',
      'git push --mirror',
      'git -c a=b push -qf',
    ],
    other: ['git push', 'git push --force-with-lease', 'git push origin main', 'git push --force-with-lease=main:abc'],
  },
  'Bash(git push --delete:*)': {
    same: ['git push origin :main', 'git push -d origin x', 'git push origin +:x'],
    other: ['git push origin main:x'],
  },
  'Bash(git reset --hard *)': {
    same: ['git reset HEAD~3 --hard', 'git reset -q --hard', 'git reset --har'],
    other: ['git reset --soft'],
  },
  'Bash(git commit --no-verify:*)': {
    same: ['git commit -m x -n', 'git commit -nm x', 'git commit -anm x', 'git commit --no-ver -m x'],
    other: ['git commit -m -n', 'git commit -m x'],
  },
  'Bash(git branch -D:*)': {
    same: ['git branch --delete --force x', 'git branch x -D', 'git branch -df x'],
    other: ['git branch -d x'],
  },
  'Bash(curl -X POST:*)': {
    same: ['curl http://x -XPOST', 'curl --request=POST x', 'curl -sX POST x'],
    other: ['curl -X GET x', 'curl x POST'],
  },
  'Bash(sed -i:*)': {
    same: ['sed s/a/b/ f -i', 'sed --in-place=.bak s f', 'sed -ne p -i x', 'sed -i.bak s f'],
    other: ['sed -n p x'],
  },
  'Bash(docker run --privileged:*)': {
    same: ['docker run -it --privileged x', 'docker --context y run --privileged x', 'docker container run --privileged x'],
    other: ['docker run x'],
  },
  'Bash(git push --force*)': {
    same: ['git push -f', 'git push origin --force', 'git push origin --force-with-lease', 'git push o +main'],
    other: ['git push origin main', 'git push --no-force'],
  },
  'Bash(git commit --am*)': { same: ['git commit -a --amend', 'git commit --no-edit --amend'], other: ['git commit -a'] },
  'Bash(docker run --priv*)': { same: ['docker run -it --privileged x'], other: ['docker run -it x'] },
  'Bash(sudo rm -rf:*)': { same: ['sudo rm -fr x', 'sudo rm x -r -f'], other: ['rm -rf x', 'sudo rm x'] },
  'Bash(node -e:*)': {
    same: ['node --eval 1', 'nodejs -p 1', 'node --print 1', 'node -pe 1', 'node -r x -e 1'],
    other: ['node a.js'],
  },
  'Bash(perl -e:*)': { same: ['perl -E 1', 'perl -ne 1', 'perl -Mstrict -we 1', 'perl5.36 -e 1'], other: ['perl a.pl'] },
  'Bash(deno run -A:*)': { same: ['deno run --allow-all x', 'deno run -qA x'], other: ['deno run -R x'] },
  'Bash(mount -o:*)': { same: ['mount --options ro a b', 'mount -t x a b -o ro'], other: ['mount a b'] },
  'Bash(gpg --export-secret-keys:*)': {
    same: ['gpg2 -a --export-secret-key', 'gpg --armor --export-secret-keys x'],
    other: ['gpg -a --export'],
  },
  'Bash(tar -x:*)': { same: ['bsdtar -xf a', 'tar xf a'], other: ['tar -tf a'] },
  'Bash(jq -n:*)': { same: ['jq --null-input .', 'jq -rn .', 'jq . --null'], other: ['jq -r .'] },
  'Bash(zip -r:*)': { same: ['zip --recurse-paths a b', 'zip -9qr a b', 'zip a b -r'], other: ['zip a b', 'zip -R a b'] },
  'Bash(zip --names-stdin:*)': { same: ['zip -@ a', 'zip -q@ a'], other: ['zip a b'] },
  'Bash(pulumi up --yes:*)': {
    same: ['pulumi up -y', 'pulumi -y up', 'pulumi --cwd d update -fy', 'pulumi up -s x --yes'],
    other: ['pulumi up', 'pulumi preview -y'],
  },
  'Bash(iptables -F:*)': { same: ['iptables -t nat --flush', 'iptables --flush INPUT'], other: ['iptables -L'] },
  'Bash(kubectl delete --all:*)': { same: ['kubectl -n x delete pods --all'], other: ['kubectl delete pod x'] },
  'Bash(find * -delete)': { same: ['find . -name x -delete', 'find -delete'], other: ['find . -name delete'] },
  'Bash(npm install -g:*)': { same: ['npm i x -g', 'npm install --global x'], other: ['npm install x'] },
  'Bash(git reset --hard)': { same: ['git reset --hard'], other: ['git reset --hard HEAD~3', 'git reset --hard -q'] },
  'Bash(terraform apply -auto-approve:*)': {
    same: [
      'terraform apply --auto-approve',
      'terraform -chdir=x apply -auto-approve=true',
      'terraform apply -var a=b -auto-approve plan',
      'terraform apply -lock=false -auto-approve',
    ],
    other: ['terraform apply', 'terraform apply -var -auto-approve', 'terraform plan'],
  },
  'Bash(terraform apply --auto-approve:*)': {
    same: ['terraform apply -input=false -auto-approve'],
    other: ['terraform apply x'],
  },
  'Bash(gh pr merge --admin:*)': {
    same: [
      'gh pr merge 5 -sd --admin',
      'gh pr merge -R a/b --admin 5',
      'gh pr -R a/b merge 5 --admin',
      'gh pr merge --admin=true',
    ],
    other: ['gh pr merge 5 -s', 'gh pr merge -b --admin', 'gh pr view --admin'],
  },
  'Bash(gh api -X DELETE:*)': {
    same: ['gh api repos/a/b --method DELETE', 'gh api --method=DELETE x', 'gh api x -XDELETE'],
    other: ['gh api x', 'gh api x -X GET'],
  },
  'Bash(cargo publish --no-verify:*)': {
    same: ['cargo publish -p x --no-verify', 'cargo +nightly publish --no-verify', 'cargo -q publish --allow-dirty --no-verify'],
    other: ['cargo publish', 'cargo publish --token --no-verify'],
  },
  'Bash(pip install --user:*)': {
    same: ['pip install x --user', 'pip3 install -U --user x', 'python3 -m pip install --user x', 'pip -q install --user x'],
    other: ['pip install x', 'pip install -r --user'],
  },
  'Bash(aws s3 rm --recursive:*)': {
    same: [
      'aws s3 rm s3://b/x --recursive',
      'aws --profile p s3 rm --quiet --recursive s3://b',
      'aws s3 --region r rm s3://b --recursive',
    ],
    other: ['aws s3 rm s3://b', 'aws s3 rm --exclude --recursive s3://b', 'aws s3 ls --recursive'],
  },
  'Bash(git push --force origin main)': {
    same: ['git push origin main -f', 'git push -f origin main'],
    other: ['git push -f origin other'],
  },
  // More of the table.
  'Bash(git worktree remove --force:*)': {
    same: ['git worktree remove x -f', 'git worktree remove -ff x'],
    other: ['git worktree remove x'],
  },
  'Bash(git add -A:*)': { same: ['git add --no-ignore-removal .', 'git add --all'], other: ['git add .'] },
  'Bash(docker compose down -v:*)': {
    same: ['docker-compose -f x down --volumes', 'docker compose -p x down -v'],
    other: ['docker compose down'],
  },
  'Bash(docker build --no-cache:*)': {
    same: ['docker build -t x --no-cache .', 'docker buildx build . --no-cache'],
    other: ['docker build .'],
  },
  'Bash(docker image prune -a:*)': {
    same: ['docker image prune -fa', 'docker image prune --all'],
    other: ['docker image prune -f'],
  },
  'Bash(docker run --privileged=true:*)': {
    same: ['docker run --gpus all --privileged=true x'],
    other: ['docker run --gpus --privileged x'],
  },
  'Bash(npm install --global:*)': {
    same: ['npm -g install x', 'npm in -g x', 'npm i --location=global x'],
    other: ['npm install x'],
  },
  'Bash(pip install -r:*)': {
    same: ['pip3.11 install --requirement x', 'python3.12 -m pip install -rx'],
    other: ['pip install x'],
  },
  'Bash(helm upgrade --force:*)': {
    same: ['helm upgrade a b --force', 'helm -n x upgrade --force a b'],
    other: ['helm upgrade -f values.yaml a b'],
  },
  'Bash(apt-get install -y:*)': {
    same: ['apt-get -y install x', 'apt install --assume-yes x', 'apt-get install -qy x'],
    other: ['apt install x'],
  },
  'Bash(rsync --delete:*)': {
    same: ['rsync -a a b --delete', 'rsync -a --del a b', 'rsync --delete-after a b'],
    other: ['rsync -a a b'],
  },
  'Bash(psql -c:*)': { same: ['psql -d x --command=y', 'psql -Atc y'], other: ['psql -d -c'] },
  'Bash(tar -xf:*)': {
    same: ['tar xf a', 'tar xzf a', 'tar --extract --file=a', 'tar fx a', 'tar -C / -xf a', 'tar xCf / a'],
    other: ['tar cf a', 'tar tf x', 'tar -fx a b'],
  },
  'Bash(ssh -o StrictHostKeyChecking=no:*)': {
    same: ['ssh -oStrictHostKeyChecking=no h', 'ssh -v -o "stricthostkeychecking no" h', 'ssh h -o StrictHostKeyChecking=no'],
    other: ['ssh -o StrictHostKeyChecking=yes h'],
  },
  'Bash(systemctl disable --now:*)': {
    same: ['systemctl --now disable x', 'systemctl --user disable x --now', 'systemctl -H h disable --now x'],
    other: ['systemctl disable x', 'systemctl enable --now x'],
  },
  'Bash(make -f:*)': {
    same: ['make --file=x', 'make all --makefile x', 'make -kf x', 'gmake --makef=x'],
    other: ['make all', 'make -o f'],
  },
  'Bash(go test -run:*)': {
    same: ['go test ./... --run X', 'go test -v -run=X'],
    other: ['go test -v', 'go test -skip -run'],
  },
  'Bash(go clean -modcache:*)': { same: ['go clean -x --modcache'], other: ['go clean -cache'] },
  'Bash(cargo build --release:*)': {
    same: ['cargo +nightly b -r', 'cargo build -p x -r', 'cargo -q build --rel'],
    other: ['cargo build', 'cargo build -p --release'],
  },
  'Bash(npm cache clean --force:*)': {
    same: ['npm cache clear -f', 'npm -f cache clean', 'npm cache --force clean'],
    other: ['npm cache verify'],
  },
  'Bash(pnpm update --latest:*)': { same: ['pnpm up -L', 'pnpm -r upgrade --latest'], other: ['pnpm up'] },
  'Bash(docker save --output:*)': { same: ['docker image save y -o x'], other: ['docker save y'] },
  'Bash(podman run --privileged:*)': {
    same: ['podman container run --privileged=true x', 'podman run -it --privileged x'],
    other: ['podman run x', 'docker run --privileged x'],
  },
  'Bash(kubectl delete namespace --force:*)': {
    same: ['kubectl delete ns x --force', 'kubectl -n y delete namespaces/x --force'],
    other: ['kubectl delete pod x --force'],
  },
  'Bash(tofu apply -auto-approve:*)': { same: ['tofu -chdir=x apply --auto-approve'], other: ['terraform apply -auto-approve'] },
  'Bash(gh pr create --fill:*)': { same: ['gh pr new -df', 'gh pr create -R a/b -f'], other: ['gh pr create -d'] },
  'Bash(az group delete --yes:*)': { same: ['az group delete -n x -y'], other: ['az group delete -n x'] },
  'Bash(mysql -h prod:*)': { same: ['mysql --host=prod', 'mysql -u r -hprod db'], other: ['mysql -h dev'] },
  'Bash(apt-get remove -y:*)': { same: ['apt -qqy remove x', 'apt remove x --assume-yes'], other: ['apt remove x'] },
  'Bash(pkill -9:*)': { same: ['pkill -KILL x', 'pkill -f --signal SIGKILL x'], other: ['pkill x'] },
  'Bash(killall -9:*)': { same: ['killall -s KILL x', 'killall --signal=9 x'], other: ['killall x'] },
  'Bash(pip install --pre:*)': {
    same: ['py -Im pip install --pre x', 'python3 -B -mpip install x --pre'],
    other: ['pip install x'],
  },
  'Bash(kill -9:*)': {
    same: ['kill -KILL 1', 'kill -s SIGKILL 1', 'kill -n 9 1', 'kill --signal=9 1'],
    other: ['kill 9', 'kill -15 1', 'kill -TERM 9'],
  },
};

const plainRows: typeof rows = {
  'Bash(source .env:*)': { same: ['. .env', '. ./.env', 'source ./.env'], other: ['. x'] },
  'Bash(npx prettier:*)': { same: ['npx prettier@3 .', 'npx -y prettier@^3.1 x'], other: ['npx @a/prettier'] },
  'Bash(npx @scope/tool:*)': { same: ['npx @scope/tool@1.2', 'npx -y @scope/tool'], other: ['npx @scope/other@1'] },
  'Bash(python -m:*)': { same: ['python3 -m x', 'python3.12 -Im pip install x'], other: ['python3 x.py'] },
  'Bash(python -m pip:*)': { same: ['python3 -m pip install x', 'pip install x'], other: ['python3 -m build'] },
  'Bash(redis-cli flushall:*)': { same: ['redis-cli FLUSHALL', 'redis-cli -h x FLUSHALL ASYNC'], other: ['redis-cli GET flush'] },
  'Bash(terraform workspace delete:*)': { same: ['terraform env delete x'], other: ['terraform workspace list'] },
  'Bash(glab mr merge:*)': { same: ['glab mr accept 1'], other: ['glab mr view 1'] },
  'Bash(dnf remove:*)': { same: ['dnf -y erase x'], other: ['dnf install x'] },
  // Commands that the table lacks: in any order and bundled, but without aliases.
  'Bash(mytool sync --danger:*)': {
    same: [
      'mytool sync --danger',
      'mytool sync a --danger',
      'mytool --quiet sync --danger=yes --danger',
      'mytool -n x sync a --danger',
    ],
    other: ['mytool sync', 'mytool list --danger', 'mytool sync -d', 'mytool sync -- --danger'],
  },
  'Bash(mytool -x -y:*)': { same: ['mytool -yx', 'mytool a -vx -y'], other: ['mytool -x', 'mytool --xy'] },
  'Bash(mytool sync --level=3)': { same: ['mytool --level=3 sync'], other: ['mytool sync --level=3 a', 'mytool sync --level=4'] },
  'Bash(mytool sync --prod:*)': { same: ['mytool sync --prod=true'], other: ['mytool sync --production'] },
  'Bash(mytool -danger:*)': { same: ['mytool a -danger', 'mytool -danger=1'], other: ['mytool -dan'] },
  'Bash(twine upload --skip-existing:*)': {
    same: ['python3 -m twine upload x --skip-existing', 'twine --no-color upload --skip-existing x'],
    other: ['python3 -m build --skip-existing'],
  },
  'Bash(npm owner add:*)': { same: ['npm --otp 1 author add x'], other: ['npm owner ls'] },
  'Bash(npm config set:*)': { same: ['npm c set a b', 'npm set a b'], other: ['npm config get a'] },
  'Bash(kubectl delete namespace:*)': { same: ['kubectl delete ns x', 'kubectl delete ns/x'], other: ['kubectl delete pod x'] },
  'Bash(docker stack rm:*)': { same: ['docker --context c stack down x'], other: ['docker stack ls'] },
  'Bash(kubectl drain --force:*)': {
    same: ['kubectl drain n --force', 'kubectl -n x drain --force=true n'],
    other: ['kubectl drain n'],
  },
  // Commands without options in the rule: options may come between the words.
  'Bash(npm run deploy:*)': {
    same: [
      'npm run -s deploy',
      'npm run --silent deploy',
      'npm run -w a deploy',
      'npm --prefix x run deploy',
      'npm run-script deploy',
    ],
    other: ['npm run build', 'npm run build deploy', 'npm deploy'],
  },
  'Bash(make deploy:*)': {
    same: ['make -C x deploy', 'make X=1 deploy', 'make -j4 deploy', 'make build deploy', 'gmake deploy'],
    other: ['make build'],
  },
  'Bash(gh secret set:*)': { same: ['gh secret -R a/b set x', 'gh -R a/b secret set x'], other: ['gh secret list'] },
  'Bash(git push origin main:*)': {
    same: ['git push -q origin main', 'git push -u origin main'],
    other: ['git push origin other', 'git push --tags origin other main'],
  },
  'Bash(helm uninstall:*)': { same: ['helm delete x', 'helm -n x del y'], other: ['helm list'] },
  'Bash(kubectl delete:*)': { same: ['kubectl --as-group g delete x'], other: ['kubectl get delete'] },
  'Bash(yarn deploy:*)': {
    same: [
      'yarn run deploy',
      'yarn --cwd a deploy',
      'yarn workspace a deploy',
      'yarn workspace a run deploy',
      'yarn workspaces foreach -A --include b run deploy',
      'yarnpkg deploy',
    ],
    other: ['yarn publish', 'yarn workspace deploy build', 'npm run deploy'],
  },
  'Bash(yarn npm publish:*)': {
    same: ['yarn workspace a npm publish', 'yarn workspaces foreach --all --no-private npm publish'],
    other: ['yarn npm info publish', 'yarn run npm publish'],
  },
  'Bash(yarn run:*)': { same: ['yarn --silent run x', 'yarn workspace a run x'], other: ['yarn install', 'yarn', 'yarn test'] },
  'Bash(npm run:*)': { same: ['npm --prefix x run y'], other: ['npm test'] },
  'Bash(pnpm test:*)': { same: ['pnpm run test', 'pnpm t', 'pnpm -r test', 'pn --filter a test'], other: ['pnpm run build'] },
  'Bash(pnpm deploy:*)': { same: ['pnpm --filter a deploy x'], other: ['pnpm run deploy'] },
  'Bash(npm start:*)': { same: ['npm run start', 'npm -s start', 'npm run-script start'], other: ['npm run', 'npm test'] },
  'Bash(npm run test:*)': { same: ['npm test', 'npm t', 'npm --prefix x tst'], other: ['npm start', 'npm run build'] },
  'Bash(bun run deploy:*)': { same: ['bun deploy', 'bun --cwd a deploy'], other: ['bun test', 'bun run build'] },
  'Bash(gcloud projects delete:*)': {
    same: ['gcloud beta projects delete x', 'gcloud --quiet alpha projects delete x'],
    other: ['gcloud beta projects list'],
  },
  'Bash(gradle publish:*)': {
    same: ['./gradlew publish', 'gradle :a:publish', './gradlew build :a:b:publish'],
    other: ['gradle :publish:build', `gradle --tests com.example.${'a'.repeat(200)}$`],
  },
  'Bash(python -m pytest:*)': { same: ['python3.12 -m pytest', 'pytest -q'], other: ['python3 -m unittest', 'python pytest'] },
  'Bash(python:*)': { same: ['python3 -c 1', '.venv/bin/python3.12 a.py'], other: ['ruby python'] },
  'Bash(git add .:*)': { same: ['git add ./', 'git add -v .'], other: ['git add a'] },
};

/** Runs of one file. The text starts in /p. */
const scriptRows: Record<string, { same: string[]; other: string[] }> = {
  'Bash(./deploy.sh:*)': {
    same: [
      'bash deploy.sh',
      'sh -x ./deploy.sh prod',
      '. ./deploy.sh',
      'source deploy.sh',
      './scripts/../deploy.sh',
      '/p/deploy.sh',
      'cd scripts && ../deploy.sh',
      'nohup zsh deploy.sh &',
      'mise exec -- bash deploy.sh',
      'BASH_ENV=deploy.sh bash -c true',
      'export BASH_ENV=./deploy.sh; bash other.sh',
    ],
    other: ['scripts/deploy.sh', 'cat deploy.sh', 'bash scripts/deploy.sh', 'git add ./deploy.sh'],
  },
  'Bash(scripts/release.sh prod:*)': {
    same: ['./scripts/release.sh prod', 'cd scripts && ./release.sh prod', '(cd ./scripts; bash release.sh -v prod now)'],
    other: ['scripts/release.sh test'],
  },
  'Bash(python manage.py migrate:*)': {
    same: [
      './manage.py migrate',
      'python3.12 -W ignore ./manage.py migrate',
      'uv run manage.py migrate',
      'uv run ./manage.py migrate',
    ],
    other: ['python manage.py test', 'python other.py migrate'],
  },
  'Bash(php artisan migrate:fresh:*)': {
    same: ['./artisan migrate:fresh', 'php8.2 -d a=1 artisan migrate:fresh'],
    other: ['php artisan migrate'],
  },
  'Bash(./gradlew publish:*)': {
    same: ['bash gradlew publish', 'sh ./gradlew -q publish', 'gradle publish'],
    other: ['./gradlew build'],
  },
  'Bash(./deploy.sh)': { same: ['bash deploy.sh', '/p/deploy.sh'], other: ['./deploy.sh prod', 'bash deploy.sh prod'] },
  'Bash(bash deploy.sh)': { same: ['./deploy.sh', 'sh deploy.sh'], other: ['bash other.sh'] },
};

describe.each(Object.entries(rows))('%s', (rule, { same, other }) => {
  test.each(same)('matches %s [s:bash.options]', (command) => expect(isMatched(rule, command)).toBe(true));
  test.each(other)('does not match %s [s:bash.options]', (command) => expect(isMatched(rule, command)).toBe(false));
});

describe.each(Object.entries(plainRows))('%s', (rule, { same, other }) => {
  test.each(same)('matches %s [s:bash.options-plain]', (command) => expect(isMatched(rule, command)).toBe(true));
  test.each(other)('does not match %s [s:bash.options-plain]', (command) => expect(isMatched(rule, command)).toBe(false));
});

describe.each(Object.entries(scriptRows))('%s', (rule, { same, other }) => {
  test.each(same)('matches %s [s:bash.scripts]', (command) => expect(isMatched(rule, command)).toBe(true));
  test.each(other)('does not match %s [s:bash.scripts]', (command) => expect(isMatched(rule, command)).toBe(false));
});

test('no order, name or bundle of the same options, and no further option, avoids a rule [s:bash.options]', () => {
  const options = fc.constantFrom<[string, string]>(['-r', '-r'], ['-r', '--recursive'], ['-r', '--recurs'], ['-r', '-R']);
  const forces = fc.constantFrom('-f', '--force', '--fo');
  const more = fc.subarray(['-v', '-d', '-I', '--verbose', '--one-file-system', '--preserve-root', '--interactive=never']);
  const words = fc
    .tuple(options, forces, more, fc.subarray(['a', 'b', './c']), fc.boolean())
    .chain(([[, recursive], force, others, operands, bundled]) => {
      const two = bundled && /^-\w$/.test(recursive) && force === '-f' ? [`-${recursive[1]}${force[1]}`] : [recursive, force];
      const all = [...two, ...others, ...operands];
      return fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });
    });
  fc.assert(
    fc.property(words, fc.constantFrom('Bash(rm -rf:*)', 'Bash(rm --force -r *)'), (all, rule) => {
      expect(isMatched(rule, ['rm', ...all].join(' '))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('neither the place of an option nor further options avoid a rule for a tool with subcommands [s:bash.options]', () => {
  const tools: { rule: string; before: string[][]; same: string[][]; more: string[][]; command: string[] }[] = [
    {
      rule: 'Bash(terraform apply -auto-approve:*)',
      before: [['terraform'], ['terraform', '-chdir=x']],
      command: ['apply'],
      same: [['-auto-approve'], ['--auto-approve'], ['-auto-approve=true'], ['--auto-approve=1']],
      more: [['-var', 'a=b'], ['--var=a=b'], ['-lock=false'], ['-json'], ['-parallelism', '3'], ['plan.out']],
    },
    {
      rule: 'Bash(gh pr merge --admin:*)',
      before: [
        ['gh', 'pr'],
        ['gh', 'pr', '-R', 'a/b'],
        ['gh', 'pr', '--repo=a/b'],
      ],
      command: ['merge'],
      same: [['--admin'], ['--admin=true']],
      more: [['-s'], ['-d'], ['-sd'], ['-b', 'text'], ['--subject', 't'], ['-R', 'a/b'], ['5']],
    },
    {
      rule: 'Bash(cargo publish --no-verify:*)',
      before: [['cargo'], ['cargo', '+nightly'], ['cargo', '-q'], ['cargo', '--config', 'x=1']],
      command: ['publish'],
      same: [['--no-verify']],
      more: [['-p', 'x'], ['--allow-dirty'], ['-nv'], ['-j2'], ['--features', 'a'], ['--registry=r']],
    },
    {
      rule: 'Bash(pip install --upgrade:*)',
      before: [['pip'], ['pip3'], ['python', '-m', 'pip'], ['python3', '-m', 'pip'], ['pip', '-q']],
      command: ['install'],
      same: [['-U'], ['--upgrade'], ['-qU'], ['-vU']],
      more: [['x'], ['-r', 'req.txt'], ['--user'], ['-i', 'http://h'], ['--no-deps']],
    },
    {
      rule: 'Bash(aws s3 rm --recursive:*)',
      before: [
        ['aws', 's3'],
        ['aws', '--profile', 'p', 's3'],
        ['aws', 's3', '--region=r'],
        ['aws', '--debug', 's3'],
      ],
      command: ['rm'],
      same: [['--recursive']],
      more: [['s3://b/x'], ['--quiet'], ['--exclude', '*.a'], ['--region', 'r'], ['--only-show-errors']],
    },
  ];
  const calls = fc
    .constantFrom(...tools)
    .chain(({ rule, before, command, same, more }) =>
      fc
        .tuple(fc.constantFrom(...before), fc.constantFrom(...same), fc.subarray(more))
        .chain(([start, one, others]) =>
          fc
            .shuffledSubarray([one, ...others], { minLength: others.length + 1, maxLength: others.length + 1 })
            .map((all) => ({ rule, text: [...start, ...command, ...all.flat()].map((word) => `'${word}'`).join(' ') })),
        ),
    );
  fc.assert(
    fc.property(calls, ({ rule, text }) => {
      expect(isMatched(rule, text)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test.each(['Bash(mytool --danger:*)', 'Bash(rm -rf --strange:*)', 'Bash(git push -q -v --force --tags:*)'])(
  '%s is matched as text, and a warning says so [s:bash.options]',
  (rule) => expect(parseRule(rule, 'deny')).toMatchObject({ warnings: [{ code: 'W_RULE_OPTIONS' }] }),
);

test('an allow stays as it is written [s:bash.options]', () => {
  const read = parseRule('Bash(rm -rf:*)', 'allow');
  expect(read).toMatchObject({ rule: { kind: 'bash' }, warnings: [] });
  expect('rule' in read && read.rule).not.toHaveProperty('options');
});

test('a rule with sudo matches a path and wrappers after it [s:bash.options-plain]', () => {
  const deny = { deny: ['Bash(sudo rm:*)'] };
  const denied = ['sudo /bin/rm x', 'sudo -u a env rm x', 'sudo -n nice /bin/rm x', 'sudo rm x'];
  const others = ['sudo ls', 'rm x', 'sudo env'];
  const tree = makeTree();
  expect(denied.filter((command) => judgeBash(tree, deny, command) !== 'deny rule')).toEqual([]);
  expect(others.filter((command) => judgeBash(tree, deny, command) === 'deny rule')).toEqual([]);
});

/** Each row: a denied command, other words for the same command, and commands that are different. */
const sameCommand: [denied: string, same: string[], other: string[]][] = [
  [
    'npm publish',
    ['corepack npm publish', 'corepack npm@10 publish', 'sudo corepack npm publish'],
    ['corepack npm view x', 'corepack enable'],
  ],
  ['pnpm publish', ['corepack pnpm publish', 'corepack pnpm -r publish'], ['corepack pnpm why x']],
  [
    'kubectl delete',
    [
      ...['minikube kubectl -- delete pod a', 'minikube -p b kubectl -- delete pod a', 'microk8s kubectl delete pod a'],
      ...[
        'microk8s.kubectl delete pod a',
        'k3s kubectl delete pod a',
        'sudo k3s kubectl -n b delete pod a',
        'k0s kubectl delete pod a',
      ],
      ...[
        'oc delete pod a',
        'oc -n b delete pod a',
        'kubecolor delete pod a',
        'kubectl replace --force -f a',
        'oc replace -f a --force',
      ],
    ],
    ['minikube kubectl -- get pods', 'oc get pods', 'kubectl replace -f a', 'minikube delete', 'k3s server'],
  ],
  ['helm uninstall', ['microk8s helm3 delete a', 'helm3 uninstall a', 'microk8s helm uninstall a'], ['helm3 list']],
  [
    'terraform destroy',
    [
      ...['terraform apply -destroy', 'terraform apply -auto-approve --destroy', 'terraform -chdir=a apply -destroy=true'],
      ...['tofu destroy', 'tofu apply -destroy', 'terragrunt destroy', 'terragrunt apply -destroy'],
    ],
    ['terraform apply', 'terraform plan -destroy', 'tofu apply', 'terraform apply -destroy=false'],
  ],
  ['terraform apply -destroy', ['terraform destroy', 'tofu destroy', 'tofu apply -destroy'], ['terraform apply']],
  ['tofu destroy', ['tofu apply -destroy'], ['terraform destroy', 'tofu plan']],
  ['npx', ['npm exec a', 'npm x a'], ['npm run a']],
  ['npm exec', ['npx a', 'npm x a'], ['npm test']],
  ['pnpm dlx', ['pnpx a', 'pnx a'], ['pnpm exec a']],
  ['bun x', ['bunx a'], ['bun run a']],
  ['uv tool run', ['uvx a'], ['uv tool list']],
  ['bun remove', ['bun rm a'], ['bun add a']],
  ['pip uninstall', ['uv pip uninstall a', 'python3 -m pip uninstall a'], ['uv pip list']],
  ['conda remove', ['conda uninstall a', 'mamba remove a', 'micromamba uninstall a'], ['conda list']],
  ['dnf remove', ['yum remove a', 'yum erase a'], ['yum list']],
  ['apt purge', ['apt remove --purge a', 'apt-get remove --purge a'], ['apt remove a']],
  ['docker images', ['docker image ls', 'docker image list'], ['docker image inspect a']],
  ['docker ps', ['docker container ls', 'docker container list'], ['docker container top a']],
  ['docker image history', ['docker history a'], ['docker logs a']],
  ['gh codespace delete', ['gh cs delete -c a'], ['gh cs list']],
  ['gh cs ls', ['gh codespace list'], ['gh codespace view']],
  ['gh extension install', ['gh ext install a', 'gh extensions install a'], ['gh ext list']],
  ['gh secret delete', ['gh secret remove A'], ['gh secret list']],
  ['pulumi destroy', ['pulumi dn', 'pulumi down'], ['pulumi preview']],
  ['nomad job stop', ['nomad stop a'], ['nomad status']],
  ['heroku apps:destroy', ['heroku destroy -a a', 'heroku apps:delete'], ['heroku apps']],
  ['mysql', ['mariadb a'], ['psql a']],
  ['reboot', ['systemctl reboot'], ['systemctl status']],
];

test.each(sameCommand)('a deny of %s matches other words for the same command [s:bash.same-command]', (denied, same, other) => {
  const tree = makeTree();
  const settings = { deny: [`Bash(${denied}:*)`], allow: ['Bash(*)'] };
  for (const command of same) expect(judgeBash(tree, settings, command), command).toBe('deny rule');
  for (const command of other) expect(judgeBash(tree, settings, command), command).not.toBe('deny rule');
});

test('an allow does not match other words for the same command [s:bash.same-command]', () => {
  const tree = makeTree();
  for (const [denied, same] of sameCommand)
    for (const command of same)
      expect(judgeBash(tree, { allow: [`Bash(${denied}:*)`] }, command), command).not.toBe('allow rule');
});
