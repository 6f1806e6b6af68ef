// What a person was shown whole before they type its first digits. A few digits do not tell two contents apart: whoever writes both
// can have them begin alike.
import type { Place } from '../../../facts/paths/place.ts';
import type { CallerProject } from '../../../workflow/project.ts';

/** And what a yes to it does. */
const kinds = { configuration: 'approved', draft: 'written', plan: 'approved' } as const;
type Kind = keyof typeof kinds;
/** By the place of the project, which all its callers share. */
const last = new WeakMap<Place, Map<Kind, string>>();

/** Digits of a hash that are typed. */
const shownDigits = 12;
export const firstDigits = (hash: string): string => hash.slice(0, shownDigits);

/** A person is being shown what has this hash (hex). */
export function show({ place }: Pick<CallerProject, 'place'>, kind: Kind, hash: string): void {
  last.set(place, (last.get(place) ?? new Map<Kind, string>()).set(kind, hash));
}

/** Why these digits are no yes to what has this hash now; null: they are its own, and it is what was shown last. `command` shows it. */
export function refuseDigits(project: CallerProject, kind: Kind, hash: string, typed: string, command: string): string | null {
  if (typed.length < shownDigits || !hash.startsWith(typed.toLowerCase()))
    return `The present ${kind} is ${firstDigits(hash)}, not ${typed}: nothing is ${kinds[kind]}. ${command} shows it.`;
  return last.get(project.place)?.get(kind) === hash
    ? null
    : `Nothing is ${kinds[kind]}: the present ${kind} is not what was shown last here, whatever its digits. ${command} shows it.`;
}
