import { ConflictError, ForbiddenError, NotFoundError, ValidationError } from '@hearth/protocol';
import type { ChannelMessage, Id, NewPost } from '@hearth/protocol';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import { lockChannel, setLast } from '../channels/channel-turns.ts';
import { accessIn, accessToChannel } from '../communities/access.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { readCommunity } from '../communities/known-communities.ts';
import type { KnownCommunity } from '../communities/known-community.ts';
import { describeMessage, type Named } from '../messages/describe-message.ts';
import { requireMember, requireMessages } from '../messages/message-access.ts';
import { Outdated } from '../messages/outdated.ts';
import { withTargetNow } from '../messages/target-now.ts';
import {
  accessNow,
  emitAt,
  greaterId,
  takeMessageTurn,
  type MessageTurn,
  type Turning,
} from '../messages/turn.ts';
import {
  insertMessages,
  lockMessages,
  namedIn,
  selectMessage,
  updatePostId,
  type StoredMessage,
} from '../messages/written-messages.ts';
import { everyoneSees } from './everyone-sees.ts';
import type { StoredPost } from './stored-post.ts';

/** The message that becomes a post, and what it names. */
interface Source {
  readonly message: StoredMessage;
  readonly named: Named;
}

/** What a new post changes in channels with messages. */
export interface Elsewhere {
  readonly source: Source | undefined;
  /** Where cards are added, and the ids that they get unless these are too low. */
  readonly cards: readonly { readonly channelId: Id; readonly id: Id }[];
}

/** What a new post is to change elsewhere. Throws ValidationError for a message that the caller does not see. */
export async function elsewhereOf(
  ctx: CommunityContext,
  turning: Turning,
  from: NewPost['from_message'],
): Promise<Elsewhere> {
  const { channel } = turning.access;
  const source = from && (await findSource(ctx, turning, from));
  const cards = await Promise.all(
    channel.cardChannelIds.map(async (channelId) => ({ channelId, id: await ctx.ids.next() })),
  );
  return { source, cards };
}

async function findSource(
  ctx: CommunityContext,
  { actor, access }: Turning,
  { channel_id: channelId, id }: NonNullable<NewPost['from_message']>,
): Promise<Source> {
  try {
    const place = await accessToChannel(ctx, actor, channelId);
    requireMessages(place);
    if (place.channel.communityId !== access.channel.communityId) throw noSource();
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof ForbiddenError) throw noSource();
    throw error;
  }
  const message = await selectMessage(ctx.database.reader, channelId, id);
  if (message === undefined) throw noSource();
  return { message, named: await namedIn(ctx, [message]) };
}

/**
 * Locks the message that becomes a post. Returns whether it is still as it was read. Throws ConflictError if it became a post
 * before, or shows one.
 */
export async function lockSource(
  tx: EmittingTransaction,
  { message: { channelId, id, version } }: Source,
): Promise<boolean> {
  const [message] = await lockMessages(tx.sql, channelId, [id]);
  if (message === undefined) throw noSource();
  if (message.postId !== '') {
    throw new ConflictError({ code: 'taken', field_name: 'from_message' });
  }
  return message.version === version;
}

/** The channels that a new post changes, its own first. */
export function channelsOf(
  { access: { channel } }: Turning,
  { source, cards }: Elsewhere,
): readonly [Id, ...Id[]] {
  const others = new Set(cards.map(({ channelId }) => channelId));
  if (source !== undefined) others.add(source.message.channelId);
  others.delete(channel.id);
  return [channel.id, ...others];
}

/** Places in the order of channels, all of which are locked until the transaction ends. */
export interface Places {
  readonly turn: MessageTurn;
  readonly others: ReadonlyMap<Id, Place>;
}

type Place = NonNullable<Awaited<ReturnType<typeof lockChannel>>>;

/** Takes the place of a new post, and those of what it changes elsewhere. */
export async function takePlaces(
  tx: EmittingTransaction,
  ctx: CommunityContext,
  { turning, elsewhere }: { turning: Turning & { readonly id: Id }; elsewhere: Elsewhere },
): Promise<Places> {
  const own = turning.access.channel.id;
  const others = new Map<Id, Place>();
  let turn: Places['turn'] | undefined;
  for (const id of channelsOf(turning, elsewhere).toSorted()) {
    if (id === own) turn = await takeMessageTurn(tx, ctx, turning);
    else {
      const locked = await lockChannel(tx, id);
      if (locked !== undefined) others.set(id, locked);
    }
  }
  if (turn === undefined) throw new Error('the channel of the post is one of them');
  return { turn, others };
}

interface Writing {
  readonly turning: Turning;
  readonly places: Places;
  readonly elsewhere: Elsewhere;
  readonly post: StoredPost;
  readonly named: Named;
}

/** Links the message that becomes a post with it, and adds its cards. */
export async function writeElsewhere(
  tx: EmittingTransaction,
  ctx: CommunityContext,
  writing: Writing,
): Promise<void> {
  const { elsewhere, post } = writing;
  if (elsewhere.source === undefined && elsewhere.cards.length === 0) return;
  const community = await readCommunity(tx.sql, post.communityId);
  if (community === undefined) throw new NotFoundError();
  if (elsewhere.source !== undefined) {
    await linkSource(tx, ctx, { ...writing, community, source: elsewhere.source });
  }
  for (const card of elsewhere.cards) await addCard(tx, ctx, { ...writing, community, card });
}

async function linkSource(
  tx: EmittingTransaction,
  ctx: CommunityContext,
  {
    turning,
    places,
    post,
    community,
    source,
  }: Writing & { readonly community: KnownCommunity; readonly source: Source },
): Promise<void> {
  const { channelId, version } = source.message;
  const { member } = places.turn.access;
  const access = accessIn(ctx, turning.actor, { community, member, channelId });
  const place = places.others.get(channelId);
  if (access === undefined || place === undefined) throw noSource();
  const message: StoredMessage = { ...source.message, postId: post.id, version: version + 1 };
  await updatePostId(tx.sql, message);
  const named = await withTargetNow(tx, message, source.named);
  const d: ChannelMessage = describeMessage(message, named);
  const own = community.channelById.get(post.channelId);
  const { channel } = access;
  if (own && everyoneSees({ community, channel }, { community, channel: own })) d.post_id = post.id;
  await emitAt(tx, { channel, number: place.number }, { op: 'MESSAGE_UPDATE', d });
}

async function addCard(
  tx: EmittingTransaction,
  ctx: CommunityContext,
  {
    turning,
    places,
    elsewhere: { source },
    post,
    named,
    community,
    card: { channelId, id: drawn },
  }: Writing & {
    readonly community: KnownCommunity;
    readonly card: Elsewhere['cards'][number];
  },
): Promise<void> {
  const channel = community.channelById.get(channelId);
  // The first place of that channel is taken if the message is there too.
  const place =
    source?.message.channelId === channelId
      ? await lockChannel(tx, channelId)
      : places.others.get(channelId);
  const shown = community.channelById.get(post.channelId)?.cardChannelIds;
  if (channel === undefined || place === undefined || shown?.includes(channelId) !== true) {
    // Without the card, so that the place that was taken there is not missing.
    throw new Outdated(await accessNow(tx.sql, ctx, turning));
  }
  const id = greaterId(ctx, drawn, place.lastId);
  const { userId } = post;
  const createdAtMs = await setLast(tx, channelId, { messageId: id, nowMs: post.createdAtMs });
  const message: StoredMessage = {
    channelId,
    id,
    userId,
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
  await insertMessages(tx, [{ message, member: requireMember(places.turn.access) }]);
  const links = new Map([[id, { post_id: post.id, content: post.title }]]);
  const d = describeMessage(message, { ...named, links });
  await emitAt(tx, { channel, number: place.number }, { op: 'MESSAGE_CREATE', d });
}

function noSource(): ValidationError {
  return new ValidationError('from_message', 'must be a message of the community that you see');
}
