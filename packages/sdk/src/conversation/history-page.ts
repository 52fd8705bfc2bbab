import { compareIds, HISTORY_PAGE, parseId, type Id } from '@hearth/protocol';
import type { RequestOptions } from '../types.ts';
import type { ConversationMessage, ListMessages } from './conversation.ts';

/** What is to be read of the history. */
export interface Wanted {
  /** The last message that was delivered: those after it are new. */
  readonly lastId: Id;
  /** Messages up to `lastId` that are to be read again, the oldest first. */
  readonly shown: readonly Id[];
}

/** A piece of the history. */
export interface HistoryPage<Message> {
  /** What is new, the oldest first. */
  readonly messages: readonly Message[];
  /** What was shown before and is still kept. */
  readonly again: readonly Message[];
  /** What was shown before and is not kept any more, though something older is. */
  readonly gone: readonly Id[];
  /** What was shown before and has to be read with the next page. */
  readonly unread: readonly Id[];
  /** Whether there was nothing more when it was asked for. */
  readonly isLast: boolean;
  /**
   * What shows that nothing is missing between the last message that was delivered and the first new one: the history
   * still keeps that last one, or at least an older one, so what was between them cannot have expired.
   */
  readonly shownBy: 'message' | 'older message' | 'nothing' | 'the next page';
}

/** The place before every message. */
export const BEGINNING = idOfNumber(0n);

/** The messages after `lastId`, and those shown. What shows that none is missing comes with them, so that no deletion can slip between. */
export async function readPage<Message extends ConversationMessage>(
  list: ListMessages<Message>,
  { lastId, shown }: Wanted,
  options: RequestOptions,
): Promise<HistoryPage<Message>> {
  const limit = HISTORY_PAGE.max;
  const from = shown[0] ?? lastId;
  // From one earlier, so that the message itself is in the answer if it is kept.
  const after = from === BEGINNING ? from : neighbour(from, -1n);
  const answer = (await list({ after, limit }, options)).toReversed();
  const isLast = answer.length < limit;
  const endId = answer.at(-1)?.id;
  const isRead = (id: Id) => isLast || (endId !== undefined && compareIds(id, endId) <= 0);
  const kept = new Set(answer.map(({ id }) => id));
  const asked = [...shown.filter((id) => id !== lastId), lastId];
  const missing = asked.filter((id) => id !== BEGINNING && isRead(id) && !kept.has(id));
  const hasOlder = await isOlderKept(missing[0], { list, answer, options });
  const oldest = answer[0]?.id;
  const gone = missing.filter(
    (id) => hasOlder || (oldest !== undefined && compareIds(oldest, id) < 0),
  );
  const known = new Set(shown);
  return {
    messages: answer.filter(({ id }) => compareIds(id, lastId) > 0),
    again: answer.filter(({ id }) => known.has(id)),
    gone: gone.filter((id) => known.has(id)),
    // The first one was asked for, whatever came.
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

/** Whether something older than the missing message `id` is kept. */
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
  if (id === undefined) throw new RangeError(`${value} is no identifier`);
  return id;
}
