// Whether one rule matches everything that another matches, determined from their patterns alone. True is certain; false may only
// mean that it was not detected.
import { serversIn } from '../facts/mcp-names.ts';
import type { BashRule, CommandPattern, PathPattern, PathRule, Piece, Rule, Segment, TextGlob } from '../model/rule.ts';

/** True if the deny rule matches each access that the allow rule matches, except the removal of whole dependency folders. */
export function beats(deny: Rule, allow: Rule): boolean {
  switch (allow.kind) {
    case 'tool':
      return beatsTool(deny, allow.name);
    case 'server':
      return beatsServer(deny, allow.server);
    case 'tool-glob':
      return (
        (deny.kind === 'server' &&
          serversIn(allow.glob.pieces[0] as string).some((server) => `mcp__${server}` === deny.server)) ||
        (deny.kind === 'tool-glob' && coversGlob(deny.glob, allow.glob)) ||
        isGroup(deny, 'mcp')
      );
    case 'group':
      return isGroup(deny, allow.group);
    case 'read':
    case 'write':
      return beatsPaths(deny, allow);
    case 'bash':
      return isEveryCommand(deny) || (deny.kind === 'bash' && isFor(deny, allow) && coversCommands(deny, allow));
    case 'bash-class':
      return isEveryCommand(deny) || (deny.kind === 'bash-class' && deny.class === allow.class);
    case 'domain':
      return deny.kind === 'domain' && coversHosts(deny, allow);
    case 'agent':
      return (deny.kind === 'agent' && coversGlob(deny.name, allow.name)) || beatsTool(deny, 'Agent');
    case 'skill':
      return (deny.kind === 'skill' && coversGlob(deny.name, allow.name)) || beatsTool(deny, 'Skill');
    default:
      return false;
  }
}

/** False for a pattern that cannot match any path. */
export function canMatchPath({ segments }: PathPattern): boolean {
  return segments.every((segment) => {
    if (segment.kind === 'any-depth') return true;
    if (segment.kind === 'literal') return segment.text !== '.' && segment.text !== '..';
    return segment.pieces.every((piece) => piece.kind !== 'set' || hasMember(piece.ranges, piece.negated));
  });
}

const lastCode = 0x10ffff;

/** A component contains neither NUL nor `/`. */
function hasMember(ranges: readonly [number, number][], negated: boolean): boolean {
  const isMember = (code: number): boolean =>
    code > 0 && code <= lastCode && code !== 0x2f && ranges.some(([from, to]) => from <= code && code <= to) !== negated;
  // Membership changes only at the ends of ranges, so only these have to be checked.
  return [1, 0x2e, 0x30, lastCode, ...ranges.flatMap(([from, to]) => [from - 1, from, from + 1, to - 1, to, to + 1])].some(
    isMember,
  );
}

/** Tools with only one kind of access. */
const accessOf: ReadonlyMap<string, 'read' | 'write' | 'command'> = new Map([
  ['Read', 'read'],
  ['Write', 'write'],
  ['Edit', 'write'],
  ['NotebookEdit', 'write'],
  ['Bash', 'command'],
  ['Monitor', 'command'],
]);

function beatsTool(deny: Rule, name: string): boolean {
  switch (deny.kind) {
    case 'tool':
      return deny.name === name;
    case 'every':
      return deny.access === accessOf.get(name);
    case 'server':
      return serversIn(name).some((server) => `mcp__${server}` === deny.server);
    case 'tool-glob':
      // `Bash` also covers Monitor and the commands of other tools.
      return name !== 'Bash' && coversGlob(deny.glob, { pieces: [name] });
    default:
      return name.startsWith('mcp__') && isGroup(deny, 'mcp');
  }
}

function beatsServer(deny: Rule, server: string): boolean {
  if (deny.kind === 'server') return deny.server === server;
  return isGroup(deny, 'mcp') || (deny.kind === 'tool-glob' && coversGlob(deny.glob, { pieces: [`${server}__`, ''] }));
}

function isGroup(rule: Rule, group: string): boolean {
  return (rule.kind === 'group' || rule.kind === 'every') && rule.group === group;
}

function isEveryCommand(rule: Rule): boolean {
  return rule.kind === 'every' && rule.access === 'command';
}

function isFor(deny: PathRule | BashRule, allow: PathRule | BashRule): boolean {
  return deny.only === null || deny.only === allow.only;
}

/** Only absolute patterns that name their folder match the session's own files. So both must start in the same folder. */
function beatsPaths(deny: Rule, allow: PathRule): boolean {
  if (deny.kind === 'every') return deny.access === allow.kind && allow.paths.every(({ base }) => base === 'root');
  if (deny.kind !== allow.kind || !isFor(deny, allow) || deny.except !== undefined) return false;
  return allow.paths.every((restricts) =>
    deny.paths.some((wide) => wide.base === restricts.base && isOfOneFolder(wide, restricts) && coversPath(wide, restricts)),
  );
}

function isOfOneFolder(wide: PathPattern, restricts: PathPattern): boolean {
  return wide.base === 'root' || literalFolder(wide) === literalFolder(restricts);
}

function literalFolder({ segments }: PathPattern): string {
  const wild = segments.findIndex(({ kind }) => kind !== 'literal');
  return JSON.stringify(segments.slice(0, wild === -1 ? undefined : wild));
}

/** True if the wide pattern matches every path that the narrow pattern matches. */
export function coversPath(wide: PathPattern, restricts: PathPattern): boolean {
  return includes(symbolsOf(wide), symbolsOf(restricts), (one, other) => coversSegment(one, other));
}

const many = Symbol('any number of them');
/** A sequence of pattern elements; `many` is any number of arbitrary elements. */
type Symbols<T> = (T | typeof many)[];

const anyName: Segment = { kind: 'glob', pieces: [{ kind: 'star' }] };

function symbolsOf({ floating, strict, segments }: PathPattern): Symbols<Segment> {
  const body = segments.map((segment): Segment | typeof many => (segment.kind === 'any-depth' ? many : segment));
  return [...(floating ? [many] : []), ...body, ...(strict ? [anyName] : []), many] as Symbols<Segment>;
}

function coversSegment(wide: Segment, restricts: Segment): boolean {
  return includes(charsOf(wide), charsOf(restricts), coversPiece);
}

function charsOf(segment: Segment): Symbols<Piece> {
  const pieces: Piece[] =
    segment.kind === 'literal' ? [{ kind: 'text', text: segment.text }] : (segment as { pieces: Piece[] }).pieces;
  return pieces.flatMap((piece): Symbols<Piece> => {
    if (piece.kind === 'star') return [many];
    return piece.kind === 'text' ? [...piece.text].map((text): Piece => ({ kind: 'text', text })) : [piece];
  });
}

function coversPiece(wide: Piece, restricts: Piece): boolean {
  if (wide.kind === 'one') return true;
  if (wide.kind === 'set' && restricts.kind === 'text') {
    const code = restricts.text.codePointAt(0) as number;
    return wide.ranges.some(([from, to]) => from <= code && code <= to) !== wide.negated;
  }
  return JSON.stringify(wide) === JSON.stringify(restricts);
}

function coversCommands(deny: BashRule, allow: BashRule): boolean {
  const wide = deny.commands.flatMap(globsOf);
  return allow.commands.flatMap(globsOf).every((restricts) => wide.some((glob) => coversGlob(glob, restricts)));
}

function globsOf(command: CommandPattern): TextGlob[] {
  const pieces = command.form === 'glob' ? command.pieces : [command.text];
  const alone = { pieces };
  const isOpen = command.form === 'prefix' || (command.form === 'glob' && command.boundary);
  return isOpen ? [alone, { pieces: [...pieces.slice(0, -1), `${pieces.at(-1)} `, ''] }] : [alone];
}

function coversGlob(wide: TextGlob, restricts: TextGlob): boolean {
  const symbols = ({ pieces }: TextGlob): Symbols<string> =>
    pieces.flatMap((piece, at): Symbols<string> => (at === 0 ? [...piece] : [many, ...piece]));
  return includes(symbols(wide), symbols(restricts), (one, other) => one === other);
}

function coversHosts(deny: Extract<Rule, { kind: 'domain' }>, allow: Extract<Rule, { kind: 'domain' }>): boolean {
  if (deny.form === 'any') return true;
  if (allow.form === 'any') return false;
  if (deny.form === 'exact') return allow.form === 'exact' && allow.host === deny.host;
  return allow.host.endsWith(`.${deny.host}`) || (allow.form === 'below' && allow.host === deny.host);
}

/**
 * True if the wide symbols match each sequence that the narrow symbols match. Only `many` can cover `many`: this is sound, and
 * complete enough for the patterns that people write.
 */
function includes<T>(wide: Symbols<T>, restricts: Symbols<T>, covers: (wide: T, restricts: T) => boolean): boolean {
  // reach[j]: the narrow symbols so far can match the wide symbols before j.
  let request = new Array<boolean>(wide.length + 1).fill(false);
  request[0] = true;
  const skip = (): void => {
    for (let at = 0; at < wide.length; at++) if (request[at] && wide[at] === many) request[at + 1] = true;
  };
  skip();
  for (const symbol of restricts) {
    const next = new Array<boolean>(wide.length + 1).fill(false);
    for (let at = 0; at < wide.length; at++) {
      if (!request[at]) continue;
      const one = wide[at] as T | typeof many;
      if (one === many) next[at] = true;
      else if (symbol !== many && covers(one, symbol)) next[at + 1] = true;
    }
    request = next;
    skip();
  }
  return request[wide.length] === true;
}
