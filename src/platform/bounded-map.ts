// Maps with a limit, for records of calls and sessions whose end is not always announced.

/** Sets an entry as the newest one. If the map then has more than `most` entries, the oldest is removed. */
export function setNewest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value as Key);
}
