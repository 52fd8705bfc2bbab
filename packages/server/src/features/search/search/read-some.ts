import type { Reader } from '../../../ports/database/database.ts';
import type { Noted } from '../../talk/index-queue/index-queue.ts';
import { readEntries, type Entry } from './entries.ts';

/** Characters that are split at once, which takes less than 10 ms in all scripts. What is named first is split in any case. */
const CHARACTERS_AT_ONCE = 10_000;

/** Entries that are read at once. A post may have as many characters as many messages. */
const READ_AT_ONCE = 16;

/** Returns whether an entry is too long to be split at once. */
export function isLong({ text }: Entry): boolean {
  return text.length > CHARACTERS_AT_ONCE;
}

/** As many of the first entries as are split at once. */
export function firstOf(entries: readonly Entry[]): readonly Entry[] {
  let characters = 0;
  const end = entries.findIndex(({ text }, at) => {
    characters += text.length;
    return at > 0 && characters > CHARACTERS_AT_ONCE;
  });
  return end === -1 ? entries : entries.slice(0, end);
}

/** Reads the first entries that are named, as many as are split at once, and returns which ones these are. Some of them may be gone. */
export async function readSome<Named extends Noted>(
  db: Reader,
  named: readonly Named[],
): Promise<{ readonly done: readonly Named[]; readonly entries: readonly Entry[] }> {
  const entries: Entry[] = [];
  let characters = 0;
  for (let from = 0; from < named.length; from += READ_AT_ONCE) {
    const some = named.slice(from, from + READ_AT_ONCE);
    const read = new Map((await readEntries(db, some)).map((entry) => [entry.id, entry]));
    for (const [at, { id }] of some.entries()) {
      const entry = read.get(id);
      if (entry === undefined) continue;
      // It may be named again.
      read.delete(id);
      characters += entry.text.length;
      if (from + at > 0 && characters > CHARACTERS_AT_ONCE) {
        return { done: named.slice(0, from + at), entries };
      }
      entries.push(entry);
    }
  }
  return { done: named, entries };
}
