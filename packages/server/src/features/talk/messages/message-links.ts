import type { ChannelMessage, Id } from '@hearth/protocol';
import type { KeepsChannelHomes } from '../../communities/structure/structure.ts';
import { findNamed, type Mentions, type NamingContext } from '../mentions/mentions.ts';
import { everyoneSees, type ChannelInCommunity } from '../places/places.ts';
import type { StoredMessage } from './stored-message.ts';

/**
 * The posts, channels and roles that a message names, as far as everyone who sees the message sees them. A card has the title of
 * its post as `content`.
 */
export type MessageLinks = Pick<
  ChannelMessage,
  'post_id' | 'mention_posts' | 'mention_channels' | 'mention_roles'
> & {
  content?: string;
};

type Naming = Pick<StoredMessage, 'id' | 'channelId' | 'mentions' | 'postId' | 'isCard'>;

/** The posts that messages name, by the ids of the messages. */
export async function linksOfMessages(
  ctx: NamingContext & KeepsChannelHomes,
  messages: readonly Naming[],
): Promise<ReadonlyMap<Id, MessageLinks>> {
  const naming = messages.filter(
    ({ postId, mentions }) => postId !== '' || mayNameHidden(mentions),
  );
  if (naming.length === 0) return new Map();
  const homes = await ctx.channelHomes.all(naming.map(({ channelId }) => channelId));
  const texts = naming.flatMap((message) => {
    const communityId = homes.get(message.channelId);
    return communityId === undefined ? [] : [{ ...message, communityId }];
  });
  const own = texts.flatMap(({ postId }) => (postId === '' ? [] : [postId]));
  const found = await findNamed(ctx, texts, own);
  return new Map(
    texts.map((text): [Id, MessageLinks] => {
      const links: MessageLinks = {
        ...found.mentioned(text),
        ...partsNamed(found.placeOf(text), text.mentions),
      };
      const title = text.postId === '' ? undefined : found.titleFor(text, text.postId);
      if (text.postId === '' || title === undefined) return [text.id, links];
      links.post_id = text.postId;
      if (text.isCard) links.content = title;
      return [text.id, links];
    }),
  );
}

/** Returns whether a text mentions anything that may be hidden from its readers, or removed. People are not. */
function mayNameHidden({ posts, channels, roles }: Mentions): boolean {
  return (posts ?? channels ?? roles) !== undefined;
}

/** The channels that a text mentions, if everyone who sees the text sees them now, and the roles that there still are. */
function partsNamed(
  place: ChannelInCommunity | undefined,
  { channels = [], roles = [] }: Mentions,
): Pick<MessageLinks, 'mention_channels' | 'mention_roles'> {
  if (place === undefined) return {};
  const { community } = place;
  const seen = channels.filter((id) => {
    const channel = community.channelById.get(id);
    return channel !== undefined && everyoneSees(place, { community, channel });
  });
  const known = roles.filter((id) => community.roleById.has(id));
  return {
    ...(known.length > 0 && { mention_roles: known }),
    ...(seen.length > 0 && { mention_channels: seen }),
  };
}

/** Finds what a text mentions that is about to be posted to a channel. */
export async function mentionedIn(
  ctx: NamingContext,
  place: ChannelInCommunity | undefined,
  mentions: Mentions,
): Promise<MessageLinks | undefined> {
  if (place === undefined || !mayNameHidden(mentions)) return undefined;
  const parts = partsNamed(place, mentions);
  if (mentions.posts === undefined) return parts;
  const { id: channelId, communityId } = place.channel;
  // It has no id yet; any will do.
  const text = { id: channelId, channelId, communityId, mentions };
  return { ...(await findNamed(ctx, [text], [])).mentioned(text), ...parts };
}
