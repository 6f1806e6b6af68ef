// Removes the fields that must not leave this machine from an event before it is sent, and lists them in the event, as OPA does.
import type { LogEvent } from '../store/log/event.ts';

/** A copy without the values at these JSON pointers. */
export function withhold(event: LogEvent, pointers: readonly string[]): LogEvent {
  if (pointers.length === 0) return event;
  const copy = structuredClone(event);
  const erased = pointers.filter((pointer) => remove(copy, pointer.split('/').slice(1).map(plain)));
  if (erased.length === 0) return copy;
  const isBelow = (one: string): boolean => erased.some((pointer) => one === pointer || one.startsWith(`${pointer}/`));
  copy.erased = [...(copy.erased ?? []).filter((one) => !isBelow(one)), ...erased];
  if (copy.masked !== undefined) copy.masked = copy.masked.filter((one) => !isBelow(one));
  return copy;
}

/** True if there was a value. */
function remove(from: unknown, [first = '', ...rest]: string[]): boolean {
  if (typeof from !== 'object' || from === null || !Object.hasOwn(from, first)) return false;
  const holder = from as Record<string, unknown>;
  if (rest.length > 0) return remove(holder[first], rest);
  // The item's place in a list is kept, so that other pointers stay valid.
  if (Array.isArray(from)) holder[first] = null;
  else delete holder[first];
  return true;
}

const plain = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');
