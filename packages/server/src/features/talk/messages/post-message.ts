import {
  ServerError,
  type ChannelMessage,
  type Id,
  type NewChannelMessage,
  type UserSummary,
} from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { andThen } from '../../../lib/and-then.ts';
import type { Context } from '../../../context.ts';
import type { Writing } from '../../../ports/outbox/outbox.ts';
import type {
  AccessContext,
  ChannelAccess,
  KeepsMembers,
} from '../../communities/structure/structure.ts';
import type { KeepsActivity } from '../../communities/communities/communities.ts';
import { requireAdmission } from '../../accounts/moderation/moderation.ts';
import type { KeepsUnsentNotifications } from '../notifications/notifications.ts';
import { linksOfMessages, mentionedIn } from './message-links.ts';
import { mayMention, resolveMentions } from '../mentions/mentions.ts';
import type { KeepsPosted } from '../index-queue/index-queue.ts';
import { peopleIn, type Named } from './describe-message.ts';
import { givenFiles } from './files.ts';
import type { Draft } from './message-draft.ts';
import { findChannelMessage } from './list-messages.ts';
import { requireWriting } from './message-access.ts';
import { IdTooLow, type Turning, may, sees, turningIn } from '../places/places.ts';
import { selectMessage } from './store.ts';
import type { StoredMessage } from './stored-message.ts';
import { noTarget, writeMessages } from './write-messages.ts';
import type { MessagesContext } from './messages-context.ts';

/** About how many bytes a message takes while it waits, besides its text. */
const DRAFT_BYTES = 1_000;

/** How often a message is tried: each time with an id beyond the newest message, or for the channel as it is by then. */
const MOST_TRIES = 5;

/**
 * Posts a message to a channel. It resolves when the message is stored, and everyone who sees the channel is sent it. The same
 * nonce of the same person posts once in ten minutes; then this resolves with the message of the first time. Throws
 * NotFoundError if the caller may not know that the channel exists, or if the message of a repeated nonce was deleted,
 * ForbiddenError, RateLimitedError in slow mode, and ValidationError.
 */
export async function postMessage(
  ctx: AccessContext & KeepsActivity & KeepsPosted & KeepsUnsentNotifications & MessagesContext,
  actor: Account,
  input: NewChannelMessage & { readonly channel_id: Id },
): Promise<ChannelMessage> {
  const { channel_id: channelId } = input;
  // Slow mode of the lobby is for the lobby alone.
  const admission = requireAdmission(ctx, actor, 'changing');
  if (admission !== undefined) await admission;
  let turning = await turningIn(ctx, actor, { channelId, requires: requireWriting(ctx) });
  let draft = await draftOf(ctx, turning, input);
  let id = await ctx.ids.next();
  for (let count = 1; ; count += 1) {
    try {
      const { database } = ctx;
      const writing = writingOf(turning, draft);
      const posted = await database.write(writeMessages, { ctx, turning, draft, id }, writing);
      if ('message' in posted) {
        const { created_at: createdAtMs } = posted.message;
        ctx.posted.note(channelId);
        const noting = ctx.activity.note(turning.access.channel.communityId, createdAtMs);
        if (noting !== undefined) await noting;
        return posted.message;
      }
      if ('earlier' in posted) {
        return await findChannelMessage(ctx, actor, { channel_id: channelId, id: posted.earlier });
      }
      if (count === MOST_TRIES) throw new ServerError('Posting a message');
      turning = { ...turning, access: posted.outdated };
      draft = await draftOf(ctx, turning, input);
    } catch (error) {
      if (count === MOST_TRIES || !(error instanceof IdTooLow)) throw error;
      id = await ctx.ids.after(error.newest);
    }
  }
}

/** How the message waits for its channel. */
function writingOf({ access }: Turning, { author, content, nonce }: Draft): Writing {
  const bytes = 2 * (content.length + nonce.length) + DRAFT_BYTES;
  const isUrgent = may(access, 'MANAGE_CONTENT');
  return { subjects: [access.channel.id], caller: author.id, bytes, isUrgent };
}

/** A message before it has a place; at once if it names nothing, as most messages do. */
function draftOf(
  ctx: MessagesContext & KeepsMembers,
  turning: Turning,
  input: NewChannelMessage,
): Draft | Promise<Draft> {
  const { content, nonce = '', reply_to: replyTo, attachments = [] } = input;
  return andThen(ctx.users.get(turning.actor.user_id), (author) => {
    const isPlain = replyTo === undefined && attachments.length === 0 && !mayMention(content);
    if (!isPlain) return namingDraft(ctx, turning, { ...input, author });
    const named = { users: new Map([[author.id, author]]) };
    return { ...NAMING_NOTHING, author, content, nonce, named };
  });
}

const NAMING_NOTHING = {
  target: undefined,
  repliedTo: undefined,
  mentions: {},
  files: [],
  links: undefined,
} as const;

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
): Promise<Draft> {
  const target = replyTo && (await findTarget(ctx, access, replyTo));
  const mentions = await resolveMentions(ctx, access, content);
  const { files, known } = await givenFiles(ctx, actor, { access, given });
  const repliedTo =
    target && (await isSeeing(ctx, access, target.userId)) ? target.userId : undefined;
  const links = await mentionedIn(ctx, access, mentions);
  const draft = { author, content, nonce, target, repliedTo, mentions, files, links };
  const people = peopleIn([{ userId: author.id, mentions }, ...(target ? [target] : [])]);
  const users = people.size === 1 ? new Map([[author.id, author]]) : await ctx.users.all(people);
  const named: Named = { users, files: known };
  if (target === undefined) return { ...draft, named };
  const targets = new Map([[target.id, target]]);
  return { ...draft, named: { ...named, targets, links: await linksOfMessages(ctx, [target]) } };
}

async function isSeeing(
  ctx: KeepsMembers,
  { community, channel }: ChannelAccess,
  userId: Id,
): Promise<boolean> {
  const member = await ctx.members.get(community.stored.id, userId);
  return member !== undefined && sees(community, channel, member);
}

async function findTarget(
  { database }: Pick<Context, 'database'>,
  { channel }: ChannelAccess,
  id: Id,
): Promise<StoredMessage> {
  const target = await selectMessage(database.reader, channel.id, id);
  if (target === undefined) throw noTarget();
  return target;
}
