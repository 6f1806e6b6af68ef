// Durations as people write them: a number with its unit.

const UNITS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** `90s`, `10m`, `7d` in milliseconds; null for anything else. */
export function readDuration(text: string): number | null {
  const [, count, unit = ''] = /^([1-9]\d{0,5})\s*([a-z]+)$/.exec(text) ?? [];
  const each = UNITS.get(unit);
  return each === undefined ? null : Number(count) * each;
}
