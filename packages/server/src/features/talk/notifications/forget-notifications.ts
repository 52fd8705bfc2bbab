import type { Id } from '@hearth/protocol';
import type { Transaction, Writer } from '../../../ports/database/database.ts';
import { deleteAbout, deleteIn } from './store.ts';

/** Removes the notifications about messages, posts or comments of a channel that are deleted. */
export function forgetNotificationsAbout(
  db: Writer,
  channelId: Id,
  ids: readonly Id[],
): Promise<void> {
  return deleteAbout(db, channelId, ids);
}

/** Removes the notifications of somebody about a community that they leave. */
export function forgetNotificationsIn(
  { sql }: Transaction,
  member: { readonly communityId: Id; readonly userId: Id },
): Promise<void> {
  return deleteIn(sql, member);
}
