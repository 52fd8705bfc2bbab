import { compareIds, HISTORY_PAGE, parseId, type Id } from '@hearth/protocol';
import type { RequestOptions } from '../types.ts';
import type { ConversationMessage, ListMessages } from './conversation.ts';

/** The part of the history to read. */
export interface Wanted {
  /** The last delivered message: those after it are new. */
  readonly lastId: Id;
  /** Messages up to `lastId` to be read again, the oldest first. */
  readonly shown: readonly Id[];
  /** True if the history has every message that was not deleted. */
  readonly isComplete: boolean;
}

/** A page of the history. */
export interface HistoryPage<Message> {
  /** The new messages, the oldest first. */
  readonly messages: readonly Message[];
  /** Messages that were shown before and are still stored. */
  readonly again: readonly Message[];
  /** Messages that were shown before and are no longer stored, although an older one is. */
  readonly gone: readonly Id[];
  /** Messages that were shown before and have to be read with the next page. */
  readonly unread: readonly Id[];
  /** True if this was the last page when it was requested. */
  readonly isLast: boolean;
  /**
   * The proof that nothing is missing between the last delivered message and the first new one: the history still has
   * that last message, or at least an older one, so the messages between them cannot have expired.
   */
  readonly shownBy: 'message' | 'older message' | 'nothing' | 'the next page';
}

/** A position before every message. */
export const BEGINNING = idOfNumber(0n);

/** Reads the messages after `lastId`, and those shown. The same answer proves that none is missing, so no deletion can come between. */
export async function readPage<Message extends ConversationMessage>(
  list: ListMessages<Message>,
  { lastId, shown, isComplete }: Wanted,
  options: RequestOptions,
): Promise<HistoryPage<Message>> {
  const limit = HISTORY_PAGE.max;
  const from = shown[0] ?? lastId;
  // Starts one earlier, so that the answer has the message itself if it is still stored.
  const after = from === BEGINNING ? from : neighbour(from, -1n);
  const answer = (await list({ after, limit }, options)).toReversed();
  const isLast = answer.length < limit;
  const endId = answer.at(-1)?.id;
  const isRead = (id: Id) => isLast || (endId !== undefined && compareIds(id, endId) <= 0);
  const kept = new Set(answer.map(({ id }) => id));
  const asked = [...shown.filter((id) => id !== lastId), lastId];
  const missing = asked.filter((id) => id !== BEGINNING && isRead(id) && !kept.has(id));
  const hasOlder = isComplete || (await isOlderKept(missing[0], { list, answer, options }));
  const oldest = answer[0]?.id;
  const gone = missing.filter(
    (id) => hasOlder || (oldest !== undefined && compareIds(oldest, id) < 0),
  );
  const known = new Set(shown);
  return {
    messages: answer.filter(({ id }) => compareIds(id, lastId) > 0),
    again: answer.filter(({ id }) => known.has(id)),
    gone: gone.filter((id) => known.has(id)),
    // The first shown message was in the requested range, whatever the answer has.
    unread: shown.slice(1).filter((id) => !isRead(id)),
    isLast,
    shownBy: shownBy(),
  };

  function shownBy(): HistoryPage<Message>['shownBy'] {
    if (!isRead(lastId)) return 'the next page';
    if (kept.has(lastId)) return 'message';
    return gone.includes(lastId) ? 'older message' : 'nothing';
  }
}

/** Resolves with whether a message older than the missing message `id` is stored. */
async function isOlderKept<Message extends ConversationMessage>(
  id: Id | undefined,
  read: {
    readonly list: ListMessages<Message>;
    readonly answer: readonly Message[];
    readonly options: RequestOptions;
  },
): Promise<boolean> {
  if (id === undefined) return false;
  const oldest = read.answer[0]?.id;
  if (oldest !== undefined && compareIds(oldest, id) < 0) return true;
  return (await read.list({ before: id, limit: 1 }, read.options)).length > 0;
}

function neighbour(id: Id, distance: 1n | -1n): Id {
  return idOfNumber(BigInt(id) + distance);
}

function idOfNumber(value: bigint): Id {
  const id = parseId(value.toString());
  if (id === undefined) throw new RangeError(`${value} is not an identifier`);
  return id;
}
