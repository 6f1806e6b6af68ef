// Checks the form of docs/decisions/: name, title, status, the three sections, and that no number is missing or used twice.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const SECTIONS = ['Context', 'Decision', 'Consequences'];

/** Returns what is wrong with the decisions, which are given as [file name, text]. */
export function decisionProblems(files) {
  const problems = [];
  const numbers = new Set();
  for (const [name, text] of files) {
    const say = (problem) => problems.push(`${name} ${problem}`);
    const number = /^(\d{3})-[a-z0-9]+(?:-[a-z0-9]+)*\.md$/.exec(name)?.[1];
    if (number === undefined) {
      say('is not named NNN-words-of-the-title.md');
      continue;
    }
    if (numbers.has(number)) say(`has the number ${number}, which another decision has`);
    numbers.add(number);
    if (!new RegExp(`^# ${number} [^\\n]*[^.\\s]\\n\\n`).test(text))
      say(`does not begin with "# ${number} Title" and an empty line`);
    const status = /^# [^\n]*\n\nStatus: (.*)\n\n/.exec(text)?.[1];
    if (status === undefined) say('has no status line after its title');
    else if (!/^(?:accepted|superseded by \d{3}|accepted, amended by \d{3})$/.test(status))
      say(`has the status "${status}"; it is "accepted", "accepted, amended by NNN" or "superseded by NNN"`);
    const other = /by (\d{3})$/.exec(status ?? '')?.[1];
    if (other !== undefined && (other === number || !files.some(([one]) => one.startsWith(`${other}-`))))
      say(`refers to decision ${other} in its status, which is not another decision here`);
    const sections = [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    if (sections.join() !== SECTIONS.join())
      say(`has the sections ${sections.join(', ') || '(none)'}, not ${SECTIONS.join(', ')}`);
  }
  for (let number = 1; number <= numbers.size; number += 1) {
    const name = String(number).padStart(3, '0');
    if (!numbers.has(name)) problems.push(`there is no decision ${name}`);
  }
  return problems;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs/decisions');
  const files = readdirSync(folder)
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
  const problems = decisionProblems(files);
  for (const problem of problems) console.error(`docs/decisions: ${problem}`);
  console.log(`${files.length} decisions, ${problems.length} problems of form`);
  if (problems.length > 0 || files.length === 0) process.exitCode = 1;
}
