import { ForbiddenError, type FileData, type Id, type LobbyMessage } from '@hearth/protocol';
import type { Actor, Account } from '../../../../actor.ts';
import { requireAdmission } from '../../../accounts/moderation/moderation.ts';
import type { KeepsNamedFiles } from '../../../files/uploads/uploads.ts';
import { noteChanged } from '../../index-queue/index-queue.ts';
import { completeMessages } from '../complete-messages.ts';
import { emitChange } from '../emit-change.ts';
import type { LobbyReading } from '../lobby-reading.ts';
import { requireUser } from '../require-user.ts';
import { changeKept } from './change-kept.ts';
import { replaceMessage, versionOf } from './store.ts';

export interface MessageEdit {
  readonly id: Id;
  readonly content: string;
}

/**
 * Changes the text of a message, which only its author may. Resolves with the message when it is stored and on its way.
 * Throws UnauthorizedError, ForbiddenError and NotFoundError.
 */
export async function changeMessage(
  ctx: LobbyReading,
  actor: Actor,
  { id, content }: MessageEdit,
): Promise<LobbyMessage> {
  const author = requireUser(ctx, actor);
  await requireAdmission(ctx, author, 'changing');
  const user = await ctx.users.get(author.user_id);
  const files = await filesIn(ctx, content);
  const changed = await changeKept(ctx, { id }, async (tx, locked) => {
    const { message } = locked;
    requireAuthor(author, message);
    if (message.content === content) return message;
    const version = versionOf(message) + 1;
    const edited = { ...message, content, edited_at: ctx.clock.unixMs(), version };
    await replaceMessage(tx.sql, locked, edited);
    await noteChanged(tx.sql, 'lobby', [id]);
    const attachments = files.length === 0 ? {} : { attachments: [...files] };
    await emitChange(tx, { op: 'MESSAGE_UPDATE', d: { ...edited, user, ...attachments } });
    return edited;
  });
  const [complete = changed] = await completeMessages(ctx, actor, [changed]);
  return complete;
}

function requireAuthor({ user_id: userId }: Account, { user }: LobbyMessage): void {
  if (user?.id !== userId) throw new ForbiddenError({ code: 'not_author' });
}

async function filesIn(
  { namedFiles }: KeepsNamedFiles,
  content: string,
): Promise<readonly FileData[]> {
  if (!namedFiles.mayBeIn(content)) return [];
  const [files = []] = await namedFiles.in([content]);
  return files;
}
