import { HISTORY_PAGE, type Id } from '@hearth/protocol';
import type { LobbyMessage } from '@hearth/sdk';
import type { ConversationSource } from '../conversation-source.ts';
import type { OwnChanges } from '../changes/own-changes.ts';
import { ChangesMeanwhile } from './changes-meanwhile.ts';
import { detailsOf } from './entry.ts';
import type { NewMessage } from './entry-log.ts';
import type { OwnMessages } from './own-messages.ts';

/** A page of the history without messages removed while it was loaded, the oldest first. */
export interface HistoryPage {
  readonly messages: readonly LobbyMessage[];
  /** The newest of the answer, removed or not. */
  readonly newestId: Id | undefined;
  readonly oldestId: Id | undefined;
  /** There is nothing beyond it in the direction of the query. */
  readonly isLast: boolean;
}

/** Which page: the newest without any. */
export interface PageQuery {
  readonly before?: Id;
  readonly after?: Id;
  readonly around?: Id;
}

/** Loads a page of the history, as large as possible. */
export async function loadPage(
  source: Pick<ConversationSource, 'on' | 'listMessages'>,
  query: PageQuery,
  ended: AbortSignal,
): Promise<HistoryPage> {
  using changes = new ChangesMeanwhile(source);
  const page = await source.listMessages({ ...query, limit: HISTORY_PAGE.max }, { signal: ended });
  ended.throwIfAborted();
  const isLast = page.length < HISTORY_PAGE.max;
  const ends = { newestId: page[0]?.id, oldestId: page.at(-1)?.id };
  return { messages: changes.appliedTo(page.toReversed()), ...ends, isLast };
}

/** The means by which a message of the history becomes an entry. */
export interface HistoryOptions {
  /** Recognises own messages in the history, which has no nonces. */
  readonly ownMessages?: Pick<OwnMessages, 'has' | 'add'> | undefined;
  /** The reader's account. */
  readonly ownId?: Id | undefined;
  /** Changes that were made here. */
  readonly ownChanges?: Pick<OwnChanges, 'on'> | undefined;
  /** Called with the files of each message, if the instance lists them. */
  readonly onFiles?: ((attachments: LobbyMessage['attachments']) => void) | undefined;
  /** Called with each message of the history, which lists all its files that exist. */
  readonly onListing?: ((message: LobbyMessage) => void) | undefined;
}

/** A message of the history. */
export function ofHistory(
  message: LobbyMessage,
  isPageStart: boolean,
  { ownMessages, ownId, onFiles, onListing }: HistoryOptions,
): NewMessage {
  const { id, author, content, created_at: createdAtMs, attachments } = message;
  onFiles?.(attachments);
  onListing?.(message);
  const isOwn = isOwnUser(message, ownId) || (ownMessages?.has(id) ?? false);
  const shown = { id, author, content, createdAtMs, nonce: undefined, isOwn, isPageStart };
  return { ...shown, ...detailsOf(message) };
}

/** Returns whether a message was posted by the reader's account. */
export function isOwnUser({ user }: Pick<LobbyMessage, 'user'>, ownId: Id | undefined): boolean {
  return user !== undefined && user.id === ownId;
}
