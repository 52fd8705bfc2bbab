import { HISTORY_PAGE, parseId } from '@hearth/protocol';
import type { Id, LobbyMessage } from '@hearth/protocol';
import type { MessageQuery, RestClient } from '../rest.ts';
import type { RequestOptions } from '../types.ts';

/** What of the REST service is needed to read the history. */
export type History = Pick<RestClient, 'listMessages'>;

/** A piece of the history behind a message. */
export interface HistoryPage {
  /** The oldest first. */
  readonly messages: readonly LobbyMessage[];
  /** Whether there was nothing more when it was asked for. */
  readonly isLast: boolean;
  /**
   * What shows that nothing is missing between the message and the first of these: that itself is still kept, or at
   * least an older one is, so that the oldest ones are deleted up to nowhere near.
   */
  readonly shownBy: 'message' | 'older message' | 'nothing';
}

/** The place before every message. */
export const BEGINNING = idOfNumber(0n);

/** The messages closest behind `id`. What shows that none is missing comes with them, so that no deletion can slip between. */
export async function pageAfter(
  history: History,
  id: Id,
  options: RequestOptions,
): Promise<HistoryPage> {
  const limit = HISTORY_PAGE.max;
  // From one earlier, so that the message itself is in the answer where it is kept.
  const query: MessageQuery = { after: id === BEGINNING ? id : neighbour(id, -1n), limit };
  const answer = (await history.listMessages(query, options)).toReversed();
  const messages = answer.filter((message) => message.id !== id);
  const isLast = answer.length < limit;
  if (messages.length < answer.length) return { messages, isLast, shownBy: 'message' };
  const upTo: MessageQuery = { before: neighbour(id, 1n), limit: 1 };
  const [older] = await history.listMessages(upTo, options);
  return { messages, isLast, shownBy: older === undefined ? 'nothing' : 'older message' };
}

function neighbour(id: Id, distance: 1n | -1n): Id {
  return idOfNumber(BigInt(id) + distance);
}

function idOfNumber(value: bigint): Id {
  const id = parseId(value.toString());
  if (id === undefined) throw new RangeError(`${value} is no identifier`);
  return id;
}
