import { ATTACHMENTS_BUCKET, type Id, type LobbyMessage } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import { INSTANCE, requirePermission } from '../../permissions.ts';
import { namedIds } from '../uploads/named-ids.ts';
import { findUploads, type StoredUpload } from '../uploads/find-uploads.ts';
import { eachMessage } from './each-message.ts';
import type { LobbyContext } from './lobby-context.ts';

/** The uploads that these messages name, and that no other message of the history names. Throws ForbiddenError. */
export async function findMessageFiles(
  ctx: LobbyContext,
  actor: Actor,
  messages: readonly LobbyMessage[],
): Promise<readonly StoredUpload[]> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  const named = new Set<Id>(messages.flatMap(({ content }) => [...namedIds(content)]));
  if (named.size === 0) return [];
  const own = new Set(messages.map(({ id }) => id));
  for await (const { id, content } of eachMessage(ctx.history)) {
    if (!own.has(id)) for (const other of namedIds(content)) named.delete(other);
  }
  return findUploads(ctx, actor, { bucket: ATTACHMENTS_BUCKET, ids: [...named] });
}
