// Reads the files that Roo keeps beside .roomodes: rules folders of a mode, rules of every mode, .rooignore.
import fs from 'node:fs';
import { showUnseen } from '../../config/text.ts';
import { namesBelow, readText } from './disk.ts';
import type { Left, NewFile } from './types.ts';

/** Names that Roo ignores. */
const passedOver =
  /(^|\/)(\.DS_Store|Thumbs\.db|Desktop\.ini)$|\.(bak|cache|crdownload|db|dmp|dump|eslintcache|lock|log|old|part|partial|pyc|pyo|stackdump|swo|swp|temp|tmp)$/i;

/**
 * The rules of a mode in Roo's order: its folder, else the single file of older versions. Names are relative
 * to it.
 */
export function readRules(root: string, slug: string, left: Left[], sources: string[]): NewFile[] {
  const folder = `.roo/rules-${slug}`;
  const newFiles: NewFile[] = [];
  for (const name of namesBelow(root, folder, left).filter((one) => !passedOver.test(one)))
    add(root, `${folder}/${name}`, name, slug, { found: newFiles, left, sources });
  for (const name of newFiles.length > 0 ? [] : [`.roorules-${slug}`, `.clinerules-${slug}`]) {
    add(root, name, 'rules.md', slug, { found: newFiles, left, sources });
    if (newFiles.length > 0) break;
  }
  return newFiles;
}

interface Into {
  found: NewFile[];
  left: Left[];
  sources: string[];
}

function add(root: string, file: string, name: string, at: string, { found, left, sources }: Into): void {
  const read = readText(root, file);
  if (read === null) return;
  if ('wrong' in read) left.push({ at, what: `${file} was not read: ${read.wrong}`, instead: 'It was left out.' });
  else {
    sources.push(file);
    if (read.text.trim() !== '') found.push({ name, text: read.text });
  }
}

/** Rules for every mode are not imported: the client can read such text itself. */
export function leaveGeneralRules(root: string): Left[] {
  const left: Left[] = [];
  const names = namesBelow(root, '.roo/rules', left).map((name) => `.roo/rules/${name}`);
  const single = ['.roorules', '.clinerules'].filter((name) => readText(root, name) !== null);
  const generalRules = [...names, ...single].map((name) => ({
    at: name,
    what: 'it applies in every mode',
    instead: `To give it to the model in every mode, add @${name} to CLAUDE.md.`,
  }));
  return [...generalRules, ...left];
}

/** Rules of modes that the file does not have, such as Roo's built-in ones. */
export function leaveOtherRules(root: string, slugs: ReadonlySet<string>): Left[] {
  const folders = namesBelow(root, '.roo', []).map((name) => `.roo/${name.split('/')[0]}`);
  const single = fs.readdirSync(root).filter((name) => /^\.(roo|cline)rules-/.test(name));
  return [...new Set([...folders, ...single])].flatMap((name) => {
    const [, slug] = /rules-(.+)$/.exec(name) ?? [];
    if (slug === undefined || slugs.has(slug)) return [];
    return [{ at: name, what: `rules for the mode ${slug}, which is not in the file`, instead: 'They were left out.' }];
  });
}

/** .rooignore as deny rules: matching paths can be neither read nor written. null: there is no such file. */
export function readIgnored(root: string, left: Left[], sources: string[]): string[] | null {
  const at = '.rooignore';
  const read = readText(root, at);
  if (read === null) return null;
  if ('wrong' in read) {
    left.push({ at, what: `it was not read: ${read.wrong}`, instead: 'All reads and writes of files are denied.' });
    return ['Read', 'Write'];
  }
  sources.push(at);
  const rules: string[] = [];
  for (const line of read.text.split(/\r?\n/)) {
    const pattern = line.replace(/(?<=^|[^\\\s]|\\\s)\s+$/, '');
    if (pattern === '' || pattern.startsWith('#')) continue;
    if (pattern.startsWith('!')) {
      left.push({
        at,
        what: `${pattern} is an exception`,
        instead: 'These files stay hidden, because a deny has no exceptions.',
      });
      continue;
    }
    // Braces are literal in .rooignore, but alternatives here. A leading space belongs to the name. An invisible character may be
    // any character.
    const plain = showUnseen(pattern, () => '?')
      .replace(/^\s/, '\\$&')
      .replace(/^\\#/, '#')
      .replace(/[{}]/g, '\\$&')
      .replace(/^\.\//, '');
    if (/^~|^\/\//.test(plain) || plain.split('/').includes('..'))
      left.push({
        at,
        what: `${pattern} is not a pattern for paths in the project`,
        instead: 'It was left out, because it hides nothing in Roo.',
      });
    else rules.push(`Read(${plain})`, `Write(${plain})`);
  }
  return rules;
}
