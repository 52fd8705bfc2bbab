import {
  ForbiddenError,
  NotFoundError,
  ValidationError,
  type ChannelMessage,
  type ChannelMessageChange,
} from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { requireAdmission } from '../../accounts/moderation/moderation.ts';
import { forgetMentions, resolveMentions, subjectsOf } from '../mentions/mentions.ts';
import { completeMessages, namedIn } from './complete-messages.ts';
import { describeMessage } from './describe-message.ts';
import type { MessagePlace } from './list-messages.ts';
import { lockMessages, selectMessage, updateContent } from './store.ts';
import type { StoredMessage } from './stored-message.ts';
import { withTargetNow } from './target-now.ts';
import {
  emitIn,
  nothingToDo,
  requireWriting,
  takeTurn,
  turningIn,
  waitingFor,
  type PlacesContext,
} from '../places/places.ts';
import type { MessagesContext } from './messages-context.ts';

/**
 * Changes the text of a message, which only its author may, and only with the right to write there. The former text is kept
 * for moderators. Throws NotFoundError, ForbiddenError, and ValidationError for a message that would be empty.
 */
export async function changeChannelMessage(
  ctx: PlacesContext & MessagesContext,
  actor: Account,
  { channel_id: channelId, id, content }: ChannelMessageChange & MessagePlace,
): Promise<ChannelMessage> {
  await requireAdmission(ctx, actor, 'changing');
  const turning = await turningIn(ctx, actor, {
    placeId: channelId,
    requires: requireWriting(ctx),
  });
  const known = await selectMessage(ctx.database.reader, channelId, id);
  if (known === undefined) throw new NotFoundError();
  requireAuthor(actor, known);
  const mentions = await resolveMentions(ctx, turning.access, content);
  const named = await namedIn(ctx, [{ ...known, mentions }]);
  const changed = await ctx.database.writeAlone(waitingFor(turning), async (tx) => {
    const turn = await takeTurn(tx, ctx, turning);
    const [message] = await lockMessages(tx.sql, channelId, [id]);
    if (message === undefined) throw new NotFoundError();
    requireAuthor(actor, message);
    if (message.isCard) throw new ValidationError('content', 'must stay that of the post');
    if (content === '' && message.files.length === 0) {
      throw new ValidationError('content', 'must be given unless there are attachments');
    }
    if (content === message.content) nothingToDo(message);
    const edit = {
      content,
      editedAtMs: ctx.clock.unixMs(),
      mentions,
      version: message.version + 1,
    };
    await updateContent(tx.sql, message, edit);
    // Who is mentioned only now is not notified.
    const all = turning.access.place.communityId || channelId;
    const gone = subjectsOf(message.mentions, all).difference(subjectsOf(mentions, all));
    await forgetMentions(tx.sql, message, [...gone]);
    const edited: StoredMessage = { ...message, ...edit };
    const d = describeMessage(edited, await withTargetNow(tx, edited, named));
    await emitIn(tx, turn, { op: 'MESSAGE_UPDATE', d });
    return edited;
  });
  const [complete] = await completeMessages(ctx, actor, [changed]);
  return complete ?? describeMessage(changed, named);
}

function requireAuthor({ user_id: userId }: Account, message: Pick<StoredMessage, 'userId'>): void {
  if (message.userId !== userId) throw new ForbiddenError({ code: 'not_author' });
}
