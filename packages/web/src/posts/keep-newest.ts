/** The map in which to keep values, and how many. */
interface Kept<Key, Value> {
  readonly map: Map<Key, Value>;
  readonly most: number;
}

/** Keeps a value as the newest one; the oldest ones go. */
export function keepNewest<Key, Value>(
  { map, most }: Kept<Key, Value>,
  key: Key,
  value: Value,
): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}
