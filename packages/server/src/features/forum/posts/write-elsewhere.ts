import { noteNew } from '../../talk/index-queue/index-queue.ts';
import { ConflictError, type ChannelMessage } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { holdTurns, lockTurn, setLast, type LockedTurn } from '../../platform/turns/turns.ts';
import {
  accessIn,
  holdAllRules,
  readCommunities,
  type KnownChannel,
  type KnownCommunity,
} from '../../communities/structure/structure.ts';
import {
  describeMessage,
  insertMessages,
  lockMessages,
  updatePostId,
  withTargetNow,
  type StoredMessage,
} from '../../talk/messages/messages.ts';
import {
  emitAt,
  everyoneSees,
  greaterId,
  inChannel,
  requireGuard,
  type Turning,
} from '../../talk/places/places.ts';
import {
  dropOutdated,
  type Check,
  type NotWritten,
  type Now,
  type Write,
  type WritingContext,
} from '../../talk/writing/writing.ts';
import { channelsOf, noSource, type Elsewhere, type Source } from './elsewhere.ts';
import type { PlacedPost, PostDraft } from './post-draft.ts';

/** A post in its place, and its community as the transaction finds it if it changes other channels than its own. */
export type ReachingPost = PlacedPost & { readonly community: KnownCommunity | undefined };

/** Locks all channels that posts change, if any of them changes another one than its own. */
export async function holdElsewhere(
  tx: EmittingTransaction,
  writes: readonly Write<PostDraft>[],
): Promise<void> {
  const reaching = writes.filter(reachesElsewhere);
  if (reaching.length === 0) return;
  const communities = reaching.map(({ turning }) => inChannel(turning.access).channel.communityId);
  // Who changes the rules locks channels of the community in any order.
  await holdAllRules(tx, [...new Set(communities)]);
  const channels = writes.flatMap(({ turning, draft }) => channelsOf(turning, draft.elsewhere));
  await holdTurns(tx, [...new Set(channels)]);
}

function reachesElsewhere({ turning, draft }: Write<PostDraft>): boolean {
  return channelsOf(turning, draft.elsewhere).length > 1;
}

/** Reads the communities of posts that change other channels. Posts drop out whose cards would not be where they are to be. */
export async function withCommunities(
  tx: EmittingTransaction,
  ctx: Pick<Context, 'clock'>,
  placed: readonly PlacedPost[],
): Promise<readonly ReachingPost[]> {
  const reaching = placed.filter(reachesElsewhere);
  const ids = new Set(reaching.map(({ post }) => post.communityId));
  const found = ids.size === 0 ? [] : await readCommunities(tx.sql, [...ids]);
  const communities = new Map(found.map((community) => [community.stored.id, community]));
  const outdated = reaching.filter(({ post, draft: { elsewhere } }) => {
    const channels = communities.get(post.communityId)?.channelById;
    const shown = channels?.get(post.channelId)?.cardChannelIds ?? [];
    return elsewhere.cards.some(({ channelId }) => !shown.includes(channelId));
  });
  await dropOutdated(tx, ctx, outdated);
  return placed.map((each) => ({ ...each, community: communities.get(each.post.communityId) }));
}

/** Locks the messages that become posts. Refuses posts of messages that are not there any more, or became posts before. */
export async function lockSources(
  tx: EmittingTransaction,
  placed: readonly ReachingPost[],
  { ctx }: Now,
): Promise<Check<ReachingPost>> {
  const messages = new Map<string, StoredMessage>();
  for (const { draft } of placed) {
    const { source } = draft.elsewhere;
    if (source === undefined) continue;
    const { channelId, id } = source.message;
    const [message] = await lockMessages(tx.sql, channelId, [id]);
    if (message !== undefined) messages.set(`${channelId} ${id}`, message);
  }
  const taken = new Set<StoredMessage>();
  const lockedOf = ({ message: { channelId, id } }: Source) => messages.get(`${channelId} ${id}`);
  return {
    refusalOf({ turning, draft, community }) {
      const { source } = draft.elsewhere;
      if (source === undefined) return undefined;
      const message = lockedOf(source);
      if (
        message === undefined ||
        sourceChannel(ctx, { turning, source, community }) === undefined
      ) {
        return { error: noSource() };
      }
      if (message.postId !== '' || taken.has(message)) {
        return { error: new ConflictError({ code: 'taken', field_name: 'from_message' }) };
      }
      const result: NotWritten = { outdated: turning.access };
      return message.version === source.message.version ? undefined : { result };
    },
    accept({ draft: { elsewhere } }) {
      const message = elsewhere.source && lockedOf(elsewhere.source);
      if (message !== undefined) taken.add(message);
    },
  };
}

/** The channel of the message that becomes a post; undefined if the author of the post does not see it any more. */
function sourceChannel(
  ctx: Pick<Context, 'clock'>,
  {
    turning: { actor, access },
    source,
    community,
  }: {
    readonly turning: Turning;
    readonly source: Source;
    readonly community: KnownCommunity | undefined;
  },
): KnownChannel | undefined {
  const { channelId } = source.message;
  const { member } = inChannel(access);
  return community && accessIn(ctx, actor, { community, member, channelId })?.channel;
}

/** Links the message that becomes a post with it, and adds its cards. */
export async function writeElsewhere(
  tx: EmittingTransaction,
  ctx: Pick<WritingContext, 'ids' | 'clock'>,
  { community, ...placed }: ReachingPost,
): Promise<void> {
  const { source, cards } = placed.draft.elsewhere;
  if (community === undefined) return;
  if (source !== undefined) await linkSource(tx, ctx, { placed, community, source });
  for (const card of cards) await addCard(tx, ctx, { placed, community, card });
}

/** A post that changes something in another channel. */
interface Reaching {
  readonly placed: PlacedPost;
  readonly community: KnownCommunity;
}

async function linkSource(
  tx: EmittingTransaction,
  ctx: Pick<Context, 'clock'>,
  { placed: { post, turning }, community, source }: Reaching & { readonly source: Source },
): Promise<void> {
  const { version } = source.message;
  const channel = sourceChannel(ctx, { turning, source, community });
  if (channel === undefined) throw new TypeError('the message was not accepted');
  const { number } = await nextIn(tx, channel);
  const message: StoredMessage = { ...source.message, postId: post.id, version: version + 1 };
  await updatePostId(tx.sql, message);
  const named = await withTargetNow(tx, message, source.named);
  const d: ChannelMessage = describeMessage(message, named);
  const own = community.channelById.get(post.channelId);
  if (own && everyoneSees({ community, channel }, { community, channel: own })) d.post_id = post.id;
  await emitAt(tx, { place: channel, number }, { op: 'MESSAGE_UPDATE', d });
}

async function addCard(
  tx: EmittingTransaction,
  ctx: Pick<WritingContext, 'ids'>,
  {
    placed: { post, draft, turning },
    community,
    card: { channelId, id: drawn },
  }: Reaching & { readonly card: Elsewhere['cards'][number] },
): Promise<void> {
  const channel = community.channelById.get(channelId);
  if (channel === undefined) throw new TypeError('the channel of a card is not there');
  const { number, lastId } = await nextIn(tx, channel);
  const id = greaterId(ctx, drawn, lastId);
  const createdAtMs = await setLast(tx, channelId, { lastId: id, nowMs: post.createdAtMs });
  const message: StoredMessage = {
    channelId,
    id,
    userId: post.userId,
    content: '',
    createdAtMs,
    editedAtMs: 0,
    replyTo: '',
    mentions: {},
    files: [],
    reactions: [],
    isPinned: false,
    postId: post.id,
    isCard: true,
    version: 1,
  };
  await insertMessages(tx, [{ message, guard: requireGuard(turning.access) }]);
  const links = new Map([[id, { post_id: post.id, content: post.title }]]);
  const d = describeMessage(message, { ...draft.named, links });
  await emitAt(tx, { place: channel, number }, { op: 'MESSAGE_CREATE', d });
  await noteNew(tx, 'messages', [id]);
}

/** Takes the next place in a channel that {@link holdElsewhere} has locked. */
async function nextIn(tx: EmittingTransaction, { id }: KnownChannel): Promise<LockedTurn> {
  const place = await lockTurn(tx, id);
  if (place === undefined) throw new TypeError('a channel that is locked is not there');
  return place;
}
