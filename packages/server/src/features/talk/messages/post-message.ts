import type { ChannelMessage, Id, NewChannelMessage, UserSummary } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { andThen } from '../../../lib/and-then.ts';
import type { Context } from '../../../context.ts';
import type { KeepsMembers } from '../../communities/structure/structure.ts';
import { mayMention, resolveMentions } from '../mentions/mentions.ts';
import {
  asChannel,
  turningIn,
  type PlaceAccess,
  type PlacesContext,
  type Turning,
} from '../places/places.ts';
import { givenFiles, say, type WritingContext } from '../writing/writing.ts';
import { linksOfMessages, mentionedIn } from './message-links.ts';
import { peopleIn, type Named } from './describe-message.ts';
import { plainDraft, type MessageDraft } from './message-draft.ts';
import { findChannelMessage } from './list-messages.ts';
import { requireWriting } from './message-access.ts';
import { selectMessage } from './store.ts';
import type { StoredMessage } from './stored-message.ts';
import { noTarget, writeMessages } from './write-messages.ts';
import type { MessagesContext } from './messages-context.ts';

/**
 * Posts a message to a channel. It resolves when the message is stored, and everyone who sees the channel is sent it. The same
 * nonce of the same person posts once in ten minutes; then this resolves with the message of the first time. Throws
 * NotFoundError if the caller may not know that the channel exists, or if the message of a repeated nonce was deleted,
 * ForbiddenError, RateLimitedError in slow mode, and ValidationError.
 */
export function postMessage(
  ctx: MessagesContext & PlacesContext & WritingContext,
  actor: Account,
  input: NewChannelMessage & { readonly channel_id: Id },
): Promise<ChannelMessage> {
  const { channel_id: channelId } = input;
  return say(ctx, actor, {
    operation: 'Posting a message',
    turning: () => turningIn(ctx, actor, { placeId: channelId, requires: requireWriting(ctx) }),
    draft: (turning) => draftOf(ctx, turning, input),
    subjects: () => [channelId],
    write: writeMessages,
    find: (id) => findChannelMessage(ctx, actor, { channel_id: channelId, id }),
  });
}

/** A message before it has a place; at once if it names nothing. */
function draftOf(
  ctx: MessagesContext & KeepsMembers,
  turning: Turning,
  input: NewChannelMessage,
): MessageDraft | Promise<MessageDraft> {
  const { content, nonce = '', reply_to: replyTo, attachments = [] } = input;
  return andThen(ctx.users.get(turning.actor.user_id), (author) => {
    const isPlain = replyTo === undefined && attachments.length === 0 && !mayMention(content);
    if (isPlain) return plainDraft(author, content, nonce);
    return namingDraft(ctx, turning, { ...input, author });
  });
}

async function namingDraft(
  ctx: MessagesContext & KeepsMembers,
  { actor, access }: Turning,
  {
    author,
    content,
    nonce = '',
    reply_to: replyTo,
    attachments: given,
  }: NewChannelMessage & { readonly author: UserSummary },
): Promise<MessageDraft> {
  const target = replyTo && (await findTarget(ctx, access, replyTo));
  const mentions = await resolveMentions(ctx, access, content);
  const { files, known } = await givenFiles(ctx, actor, { access, given });
  const seeing = await access.of.seeing(ctx, access, target ? [target.userId] : []);
  const repliedTo = target && seeing.has(target.userId) ? target.userId : undefined;
  const links = await mentionedIn(ctx, asChannel(access), mentions);
  const draft = { author, content, nonce, target, repliedTo, mentions, files, links };
  const people = peopleIn([{ userId: author.id, mentions }, ...(target ? [target] : [])]);
  const users = people.size === 1 ? new Map([[author.id, author]]) : await ctx.users.all(people);
  const named: Named = { users, files: known };
  if (target === undefined) return { ...draft, named };
  const targets = new Map([[target.id, target]]);
  return { ...draft, named: { ...named, targets, links: await linksOfMessages(ctx, [target]) } };
}

async function findTarget(
  { database }: Pick<Context, 'database'>,
  { place }: PlaceAccess,
  id: Id,
): Promise<StoredMessage> {
  const target = await selectMessage(database.reader, place.id, id);
  if (target === undefined) throw noTarget();
  return target;
}
