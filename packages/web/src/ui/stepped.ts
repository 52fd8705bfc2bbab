/** Returns the list after an item has moved; the same items if it cannot. */
export type Move<Item> = (items: readonly Item[], from: number, to: number) => readonly Item[];

/** The list after a line has moved one place up or down: past the next lines, if it cannot be among them. */
export function stepped<Item>(
  items: readonly Item[],
  { from, by, move }: { readonly from: number; readonly by: -1 | 1; readonly move: Move<Item> },
): readonly Item[] {
  for (let to = from + by; to >= 0 && to < items.length; to += by) {
    const next = move(items, from, to);
    if (next !== items) return next;
  }
  return items;
}
