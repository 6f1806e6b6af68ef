// Finds regular expressions that take exponential time on some text. A command, a file of a clone or a printed line could
// otherwise stop the server.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { analyse } from 'scslre';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
let count = 0;
const slow = [];
for (const file of readdirSync(join(root, 'src'), { recursive: true }).filter((name) => name.endsWith('.ts'))) {
  const text = readFileSync(join(root, 'src', file), 'utf8');
  for (const { regex, start } of patternsIn(parseSync(file, text).program)) {
    count++;
    const { reports } = analyse({ source: regex.pattern, flags: regex.flags });
    if (!reports.some(({ exponential }) => exponential)) continue;
    slow.push(`src/${file}:${text.slice(0, start).split('\n').length}: /${regex.pattern}/`);
  }
}
for (const line of slow) console.log(line);
console.log(`${count} regular expressions, ${slow.length} of exponential time`);
if (count === 0 || slow.length > 0) process.exitCode = 1;

/** The literals of regular expressions below a node. */
function patternsIn(node) {
  if (typeof node !== 'object' || node === null) return [];
  if (node.type === 'Literal' && node.regex) return [node];
  return Object.values(node).flatMap(patternsIn);
}
