// Mercurial and Subversion, in their read-only forms.
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { has, type OptionTable } from '../options.ts';
import { isAtOrAbove } from '../targets.ts';

/** As with git, a subfolder may be a separate repository with settings that run programs. */
function pathsRepository(call: CommandCall) {
  if (call.cwds === null || !call.cwds.every((folder) => isAtOrAbove(folder, call.host.origin)))
    call.unknown(`${call.name} runs in another folder, which may be a repository whose settings run programs`);
}

/** Prints names, or the contents of the named files, or of all changed files. */
const hg = (shows: boolean) => (call: CommandCall, t: OptionTable) => {
  const given = call.parse(t);
  call.accept(given);
  pathsRepository(call);
  if (/ (?:incoming|in|outgoing|out)$/.test(call.name)) call.network();
  // The operand may name another repository, and its settings are read.
  const other = / (?:incoming|in|outgoing|out|identify|id)$/.test(call.name) ? given.operands[0] : undefined;
  if (other) call.unknown(`${call.name} may work with another repository, whose settings run programs`, other);
  if (!shows && !has(given, 'p', 'patch')) return;
  for (const o of given.operands) call.read(o, call.name, { extent: 'within' });
  if (given.operands.length === 0) call.readHere(call.name, { extent: 'deep' });
};

/** Without a word these list. With a word they create something. */
function lists(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  pathsRepository(call);
  if (given.operands.length > 0) call.unknown(`${call.name} with a name changes something`, given.operands[0]);
}

const HG =
  '-r: --rev: -v --verbose -q --quiet --pager: --color: --debug --hidden -T: --template: --no-pager -I: -X: --include: --exclude: --noninteractive -y';

const SVN =
  '-r: --revision: -v --verbose -q --quiet --xml --non-interactive -c: --change: -l: --limit: --depth: -R --recursive -N --show-item: --no-newline --incremental';

function svn(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  const isShown = /(?:diff|cat|blame|annotate|praise)$/.test(call.name) || has(given, 'diff');
  if (has(given, 'u', 'show-updates')) call.network();
  for (const o of given.operands) {
    // Other schemes may start a program from the user's settings.
    if (/^svn\+|^(?!https?:|svn:|file:)[a-z+]+:\/\//i.test(o.lead))
      call.unknown('svn may start a program to reach this address', o);
    else if (/^[a-z+]+:\/\//i.test(o.lead)) call.url(o);
    else if (isShown) call.read(o, call.name, { extent: 'within' });
  }
  if (/(?:log|list|ls|blame|annotate|praise)$/.test(call.name)) call.network();
  if (isShown && given.operands.length === 0) call.readHere(call.name, { extent: 'deep' });
}

export const vcs: CommandEntry[] = [
  {
    names: 'hg',
    version: '--version version',
    help: 'status log diff commit update pull push add revert merge rebase branch tag clone init backout graft histedit shelve unshelve strip bisect',
    options: HG,
    verbs: {
      'diff|export|cat|annotate|blame|grep': {
        options:
          '-c: -a -g -w -b -B -U: -p --git --stat --change: --text -u -n -d -l -f --user --number --date --line-number --all --ignore-case -i -W -S --from: --to:',
        handle: hg(true),
      },
      'log|history|incoming|in|outgoing|out|tip|heads|parents': {
        options:
          '-l: --limit: -p --patch -G --graph --stat -k: --keyword: -u: --user: -b: --branch: -B: -d: --date: -f --follow -M --no-merges -n -t -a -S',
        handle: hg(false),
      },
      'status|st|identify|id|summary|sum|files|manifest|locate|paths|root|verify|config|showconfig|showcfg|help|version|tags|branches':
        {
          options:
            '-A -m -a -d -c -n -u -i -0 -C -b -t -B --all --modified --added --deleted --unknown --no-status --change: --copies --closed -S --print0 --remote --active -s',
          handle: hg(false),
        },
      'branch|bookmarks|bookmark|tag': { options: '', handle: lists },
    },
    examples: {
      'hg status': 'read-only',
      'hg log -l 5 -p': 'read-only',
      'hg branch': 'read-only',
      'hg branch new': 'unknown',
      'hg phase -d x': 'unknown',
      'hg id ../x': 'unknown',
      'hg incoming': 'read-only',
      'cd x; hg status': 'unknown',
      'hg commit -m x': 'unknown',
      'hg log --config extensions.x=./x.py': 'unknown',
      'hg --cwd x status': 'unknown',
      'hg log -R x': 'unknown',
      'hg cat -o f a': 'unknown',
      'hg config --edit': 'unknown',
    },
  },
  {
    names: 'svn',
    version: '--version',
    help: 'status log diff info list cat blame commit update checkout add delete revert merge switch copy move mkdir export import propget proplist propset resolve cleanup',
    options: SVN,
    verbs: {
      'status|stat|st|info|diff|di|cat|blame|annotate|praise|log|list|ls|propget|pget|pg|proplist|plist|pl|help': {
        options:
          '-u --show-updates --no-ignore --ignore-externals --summarize --diff --stop-on-copy -g --use-merge-history --git -x: --extensions: --search: --with-all-revprops --changelist: --strict',
        handle: svn,
      },
    },
    examples: {
      'svn status -u': 'read-only',
      'svn log -l 5': 'read-only',
      'svn diff --diff-cmd ./x': 'unknown',
      'svn info --config-dir d': 'unknown',
      'svn update': 'unknown',
      'svn ls svn+x://a.invalid': 'unknown',
      'svn cat https://a.invalid/x': 'read-only',
    },
  },
];
