// Look-up tables while they are filled.
import type { Ids } from './index-data.ts';

/** Without a prototype: keys are what people wrote, `__proto__` included. */
export function dictionary<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

/** Adds a rule under a key of a table that may not be there yet. */
export function push<K extends string>(tables: { [key in K]?: Record<string, Ids> }, table: K, key: string, id: string): void {
  tables[table] ??= dictionary();
  add(tables[table], key, id);
}

/** Adds a rule under a key, once. */
export function add(table: Record<string, Ids>, key: string, id: string): void {
  const ids = table[key];
  if (ids === undefined) table[key] = [id];
  else if (ids.at(-1) !== id) ids.push(id);
}
