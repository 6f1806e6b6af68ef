// Records that a person saw the complete text before they type the first digits of its hash. A few digits do not identify a text:
// an author of two texts can make their hashes begin with the same digits.
import type { Place } from '../../../facts/paths/place.ts';
import type { CallerProject } from '../../../workflow/project.ts';

/** Each kind of text, and the effect of approving it. */
const kinds = { configuration: 'approved', draft: 'written', change: 'done' } as const;
type Kind = keyof typeof kinds;
/** By the place of the project, which all its callers share. */
const last = new WeakMap<Place, Map<Kind, string>>();

/** Number of hash digits that the person types. */
const shownDigits = 12;
export const firstDigits = (hash: string): string => hash.slice(0, shownDigits);

/** Records that the person is being shown the text with this hash (hex). */
export function show({ place }: Pick<CallerProject, 'place'>, kind: Kind, hash: string): void {
  last.set(place, (last.get(place) ?? new Map<Kind, string>()).set(kind, hash));
}

/**
 * The reason why these digits do not confirm `hash`; null if they do and `hash` is what
 * was last displayed. `command` displays it.
 */
export function refuseDigits(project: CallerProject, kind: Kind, hash: string, typed: string, command: string): string | null {
  if (typed.length < shownDigits || !hash.startsWith(typed.toLowerCase()))
    return `The current ${kind} is ${firstDigits(hash)}, not ${typed}. Nothing was ${kinds[kind]}. To see it: ${command}.`;
  return last.get(project.place)?.get(kind) === hash
    ? null
    : `Nothing was ${kinds[kind]}: the current ${kind} is not the one that was shown last here. To see it: ${command}.`;
}
