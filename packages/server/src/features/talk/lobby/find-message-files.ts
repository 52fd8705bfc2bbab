import { ATTACHMENTS_BUCKET, type Id, type LobbyMessage } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import {
  findUploads,
  namedIds,
  withUploaders,
  type ListedUpload,
} from '../../files/uploads/uploads.ts';
import { eachMessage } from './each-message.ts';
import type { KeepsHistory } from './message-history.ts';

/**
 * The uploads that these messages name, and that no other message of the history names. An upload of somebody with an account
 * is one of them only if a message of theirs names it, and if they do not use it otherwise. Throws ForbiddenError.
 */
export async function findMessageFiles(
  ctx: Context & KeepsHistory,
  actor: Actor,
  messages: readonly LobbyMessage[],
): Promise<readonly ListedUpload[]> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  const named = new Map<Id, Set<Id | undefined>>();
  for (const { content, user } of messages) {
    for (const id of namedIds(content)) named.set(id, (named.get(id) ?? new Set()).add(user?.id));
  }
  if (named.size === 0) return [];
  const own = new Set(messages.map(({ id }) => id));
  for await (const { id, content } of eachMessage(ctx.history)) {
    if (!own.has(id)) for (const other of namedIds(content)) named.delete(other);
  }
  const found = await findUploads(ctx, actor, {
    bucket: ATTACHMENTS_BUCKET,
    ids: [...named.keys()],
  });
  return withUploaders(
    ctx,
    found.filter(
      ({ id, userId, isUsed }) =>
        userId === null || (!isUsed && named.get(id)?.has(userId) === true),
    ),
  );
}
