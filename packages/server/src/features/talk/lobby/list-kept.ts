import { compareIds, type Id, type LobbyMessage } from '@hearth/protocol';
import type { Database } from '../../../ports/database/database.ts';
import type { HistoryQuery, Kept } from './message-history.ts';
import { isWithin, type MessageRange } from './message-range.ts';
import { selectMessages } from './store.ts';

/** The requested messages, both written and not yet written; the newest first. */
export async function listKept(
  database: Pick<Database, 'reader'>,
  { outdated, waiting, end }: Kept,
  { after, before, limit }: HistoryQuery,
): Promise<readonly LobbyMessage[]> {
  const range = { ...outdated, after, before };
  const within = waiting
    .filter(({ number, message }) => isWithin(range, number)(message))
    .map(({ message }) => message);
  const written = { ...range, before: earlier(before, end) };
  if (after !== undefined && before === undefined) {
    const oldest = await read(database, { ...written, limit, from: 'oldest' });
    return [...within.slice(0, limit - oldest.length).toReversed(), ...oldest];
  }
  const newest = within.slice(-limit).toReversed();
  const left = limit - newest.length;
  return [...newest, ...(await read(database, { ...written, limit: left, from: 'newest' }))];
}

async function read(
  database: Pick<Database, 'reader'>,
  range: MessageRange,
): Promise<readonly LobbyMessage[]> {
  if (range.limit === 0) return [];
  return selectMessages(database.reader, range);
}

function earlier(one: Id | undefined, other: Id | undefined): Id | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return compareIds(one, other) < 0 ? one : other;
}
