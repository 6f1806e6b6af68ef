// Helpers to fill look-up tables.
import type { Ids } from './index-data.ts';

/** Has no prototype, because people write the keys, which may be `__proto__`. */
export function dictionary<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

/** Adds a rule under a key of a table, and creates the table if necessary. */
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
