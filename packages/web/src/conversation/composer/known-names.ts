import type { ConversationEntry } from '../messages/entry.ts';

/** Only the newest entries are looked at. */
const MOST_ENTRIES = 1_000;

/** The authors of the loaded messages, who spoke last first, without `own`. */
export function knownNames(entries: readonly ConversationEntry[], own: string): readonly string[] {
  const names = new Set<string>();
  for (const entry of entries.slice(-MOST_ENTRIES).toReversed()) {
    if (entry.kind === 'message' && entry.author !== own) names.add(entry.author);
  }
  return [...names];
}
