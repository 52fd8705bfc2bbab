import {
  ValidationError,
  type ChannelMessage,
  type Id,
  type NewChannelMessage,
  type UserSummary,
} from '@hearth/protocol';
import type { User } from '../../actor.ts';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import type { ChannelAccess } from '../communities/access.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { requireAdmission } from '../moderation/require-admission.ts';
import { claimNonce, correctNonce } from '../nonces/claim-nonce.ts';
import { notifyPeople } from '../notifications/notify-people.ts';
import { linksOfMessages, mentionedIn, type MessageLinks } from '../posts/message-links.ts';
import { resolvePostMentions } from '../posts/post-mentions.ts';
import { markOwn } from '../read-states/mark-own.ts';
import { Outdated } from './outdated.ts';
import { describeMessage, peopleIn, type Named } from './describe-message.ts';
import { keepCountedMentions } from './find-mentions.ts';
import { attach, givenFiles } from './files.ts';
import { findChannelMessage } from './list-messages.ts';
import { requireMember, requireWriting } from './message-access.ts';
import { sees } from './resolve-mentions.ts';
import { insertMentions } from './mention-store.ts';
import { slowDown } from './slow-down.ts';
import { insertMessage, selectMessage } from './store.ts';
import {
  subjectsOf,
  type AttachedId,
  type Mentions,
  type StoredMessage,
} from './stored-message.ts';
import { accessNow, emitIn, IdTooLow, takeMessageTurn, turningIn, type Turning } from './turn.ts';

/** How often a message is tried: each time with an id beyond the newest message, or for the channel as it is by then. */
const MOST_TRIES = 5;

/** The message that a reply names, as far as it is shown with the reply. */
/** A message before it has a place in its channel. */
interface Draft {
  readonly author: UserSummary;
  readonly content: string;
  readonly nonce: string;
  readonly target: StoredMessage | undefined;
  /** Who wrote that, if they see the channel. */
  readonly repliedTo: Id | undefined;
  readonly mentions: Mentions;
  readonly files: readonly AttachedId[];
  readonly named: Named;
  readonly links: MessageLinks | undefined;
  readonly createdAtMs: number;
}

/** What was posted, or the id of what was posted before with the same nonce. */
type Posted = { readonly message: ChannelMessage } | { readonly earlier: Id };

/**
 * Posts a message to a channel. It resolves when the message is stored, and everyone who sees the channel is sent it. The same
 * nonce of the same person posts once in ten minutes; then this resolves with the message of the first time. Throws
 * NotFoundError if the caller may not know that the channel exists, or if the message of a repeated nonce was deleted,
 * ForbiddenError, RateLimitedError in slow mode, and ValidationError.
 */
export async function postMessage(
  ctx: CommunityContext,
  actor: User,
  { channel_id: channelId, ...input }: NewChannelMessage & { readonly channel_id: Id },
): Promise<ChannelMessage> {
  // Slow mode of the lobby is for the lobby alone.
  const admission = requireAdmission(ctx, actor, 'changing');
  if (admission !== undefined) await admission;
  let turning = await turningIn(ctx, actor, { channelId, requires: requireWriting(ctx) });
  let draft = await draftOf(ctx, turning, input);
  let id = await ctx.ids.next();
  for (let count = 1; ; count += 1) {
    try {
      const posting = { turning, draft, id };
      const posted = await ctx.database.transaction((tx) => post(tx, ctx, posting));
      if ('message' in posted) {
        const { communityId } = turning.access.channel;
        ctx.posted.note(channelId);
        const noting = ctx.activity.note(communityId, draft.createdAtMs);
        if (noting !== undefined) await noting;
        return posted.message;
      }
      return await findChannelMessage(ctx, actor, { channel_id: channelId, id: posted.earlier });
    } catch (error) {
      if (count === MOST_TRIES) throw error;
      if (error instanceof IdTooLow) id = await ctx.ids.after(error.newest);
      else if (error instanceof Outdated) {
        turning = { ...turning, access: error.access };
        draft = await draftOf(ctx, turning, input);
      } else throw error;
    }
  }
}

interface Posting {
  readonly turning: Turning;
  readonly draft: Draft;
  readonly id: Id;
}

async function post(
  tx: EmittingTransaction,
  ctx: CommunityContext,
  { turning, draft, id: drawn }: Posting,
): Promise<Posted> {
  const { nonce, author, createdAtMs } = draft;
  const channelId = turning.access.channel.id;
  const used = { place: channelId, userId: author.id, nonce, usedAtMs: createdAtMs };
  if (nonce !== '') {
    // First, so that nothing is taken if it was used before: then this has nothing to do, and resolves when that is stored.
    const first = await claimNonce(tx, { ...used, resultId: drawn });
    if (first !== drawn) return { earlier: first };
  }
  const turn = await takeMessageTurn(tx, ctx, { ...turning, id: drawn });
  const { id, access } = turn;
  if (access.channel.version !== turning.access.channel.version) throw new Outdated(access);
  if (nonce !== '' && id !== drawn) await correctNonce(tx, { ...used, resultId: id });
  await slowDown(tx, access, { userId: author.id, nowMs: createdAtMs });
  if (draft.target !== undefined) await requireTarget(tx, channelId, draft.target);
  const message: StoredMessage = {
    channelId,
    id,
    userId: author.id,
    content: draft.content,
    createdAtMs,
    editedAtMs: 0,
    replyTo: draft.target?.id ?? '',
    mentions: draft.mentions,
    files: draft.files,
    reactions: [],
    isPinned: false,
    postId: '',
    isCard: false,
    version: 1,
  };
  if (message.files.length > 0) await attach(tx, message);
  const stored = await tx.run(insertMessage(message, requireMember(access)));
  if (stored === 0) throw new Outdated(await accessNow(tx, ctx, turning));
  const { communityId } = access.channel;
  const subjects = subjectsOf(message.mentions, communityId);
  if (subjects.size > 0) {
    await insertMentions(tx.sql, message, subjects);
    await keepCountedMentions(tx, channelId, [...subjects]);
  }
  await markOwn(tx, { userId: author.id, communityId, channelId, lastReadId: id });
  const described = describeMessage(message, withLinks(draft, id));
  const d = nonce === '' ? described : { ...described, nonce };
  await emitIn(tx, turn, { op: 'MESSAGE_CREATE', d });
  const { mentions, repliedTo } = draft;
  if (mentions.users !== undefined || repliedTo !== undefined) {
    const about = { id, communityId, channelId, author, createdAtMs };
    await notifyPeople(tx, { ...about, mentioned: mentions.users ?? [], repliedTo });
  }
  return { message: described };
}

async function draftOf(
  ctx: CommunityContext,
  { actor, access }: Turning,
  { content, nonce = '', reply_to: replyTo, attachments: given }: NewChannelMessage,
): Promise<Draft> {
  const author = await ctx.users.get(actor.user_id);
  const createdAtMs = ctx.clock.unixMs();
  const target = replyTo && (await findTarget(ctx, access, replyTo));
  const mentions = await resolvePostMentions(ctx, access, content);
  const { files, known } = await givenFiles(ctx, actor, { access, given });
  const repliedTo =
    target && (await isSeeing(ctx, access, target.userId)) ? target.userId : undefined;
  const links = await mentionedIn(ctx, access, mentions);
  const draft = { author, content, nonce, target, repliedTo, mentions, files, links, createdAtMs };
  const people = peopleIn([{ userId: author.id, mentions }, ...(target ? [target] : [])]);
  const users = people.size === 1 ? new Map([[author.id, author]]) : await ctx.users.all(people);
  const named: Named = { users, files: known };
  if (target === undefined) return { ...draft, named };
  const targets = new Map([[target.id, target]]);
  return { ...draft, named: { ...named, targets, links: await linksOfMessages(ctx, [target]) } };
}

/** What a message names, and the posts that it names itself, by the id that it has got. */
function withLinks({ named, links }: Draft, id: Id): Named {
  if (links === undefined) return named;
  return { ...named, links: new Map([...(named.links ?? []), [id, links]]) };
}

async function isSeeing(
  ctx: CommunityContext,
  { community, channel }: ChannelAccess,
  userId: Id,
): Promise<boolean> {
  const member = await ctx.members.get(community.stored.id, userId);
  return member !== undefined && sees(community, channel, member);
}

async function findTarget(
  { database }: CommunityContext,
  { channel }: ChannelAccess,
  id: Id,
): Promise<StoredMessage> {
  const target = await selectMessage(database.reader, channel.id, id);
  if (target === undefined) throw noTarget();
  return target;
}

/** Throws ValidationError if the message that is replied to was deleted meanwhile: its excerpt must not be sent. */
async function requireTarget(
  tx: EmittingTransaction,
  channelId: Id,
  target: Pick<StoredMessage, 'id' | 'content'>,
): Promise<void> {
  const now = await selectMessage(tx.sql, channelId, target.id);
  if (now?.content !== target.content) throw noTarget();
}

function noTarget(): ValidationError {
  return new ValidationError('reply_to', 'must be the id of a message of the channel');
}
