import {
  ForbiddenError,
  NotFoundError,
  ValidationError,
  type Id,
  type NewPost,
} from '@hearth/protocol';
import { accessToChannel, type AccessContext } from '../../communities/structure/structure.ts';
import {
  namedIn,
  selectMessage,
  type MessagesContext,
  type Named,
  type StoredMessage,
} from '../../talk/messages/messages.ts';
import { requireMessages, type ChannelPlace, type Turning } from '../../talk/places/places.ts';

/** The message that becomes a post, and what it names. */
export interface Source {
  readonly message: StoredMessage;
  readonly named: Named;
}

/** The changes that a new post makes in channels with messages. */
export interface Elsewhere {
  readonly source: Source | undefined;
  /** The channels in which cards are added, and the ids that these get unless they are too low. */
  readonly cards: readonly { readonly channelId: Id; readonly id: Id }[];
}

/** Finds what a new post is to change elsewhere. Throws ValidationError for a message that the caller does not see. */
export async function elsewhereOf(
  ctx: AccessContext & MessagesContext,
  turning: Turning<ChannelPlace>,
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
  ctx: AccessContext & MessagesContext,
  { actor, access }: Turning<ChannelPlace>,
  { channel_id: channelId, id }: NonNullable<NewPost['from_message']>,
): Promise<Source> {
  try {
    const place = await accessToChannel(ctx, actor, channelId);
    requireMessages({ place: place.channel });
    if (place.channel.communityId !== access.channel.communityId) throw noSource();
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof ForbiddenError) throw noSource();
    throw error;
  }
  const message = await selectMessage(ctx.database.reader, channelId, id);
  if (message === undefined) throw noSource();
  return { message, named: await namedIn(ctx, [message]) };
}

/** The channels that a new post changes, its own first. */
export function channelsOf(
  { access: { place: own } }: Pick<Turning, 'access'>,
  { source, cards }: Elsewhere,
): readonly [Id, ...Id[]] {
  const others = new Set(cards.map(({ channelId }) => channelId));
  if (source !== undefined) others.add(source.message.channelId);
  others.delete(own.id);
  return [own.id, ...others];
}

/** The message is not there, or not seen by the author of the post. */
export function noSource(): ValidationError {
  return new ValidationError('from_message', 'must be a message of the community that you see');
}
