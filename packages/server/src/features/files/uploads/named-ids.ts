import { parseId, type Id } from '@hearth/protocol';

/** A number in a path. Which host the address has does not matter, because an instance may have had several. */
const NUMBER_IN_PATH = /(?<!\/)\/(\d{1,39})(?!\w)/g;

/** The identifiers that a text may name uploads by: the numbers in the paths of its addresses. */
export function namedIds(text: string): ReadonlySet<Id> {
  const ids = new Set<Id>();
  for (const [, digits = ''] of text.matchAll(NUMBER_IN_PATH)) {
    const id = parseId(digits);
    if (id !== undefined) ids.add(id);
  }
  return ids;
}
