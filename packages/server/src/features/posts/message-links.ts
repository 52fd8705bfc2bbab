import type { ChannelMessage, Id } from '@hearth/protocol';
import type { CommunityContext } from '../communities/community-context.ts';
import type { ChannelAccess } from '../communities/access.ts';
import type { Mentions, StoredMessage } from '../messages/stored-message.ts';
import { findNamed } from './post-links.ts';

/** The posts that a message names, as far as everyone who sees the message sees them. A card has the title of its post as `content`. */
export type MessageLinks = Pick<ChannelMessage, 'post_id' | 'mention_posts'> & {
  content?: string;
};

type Naming = Pick<StoredMessage, 'id' | 'channelId' | 'mentions' | 'postId' | 'isCard'>;

/** The posts that messages name, by the ids of the messages. */
export async function linksOfMessages(
  ctx: CommunityContext,
  messages: readonly Naming[],
): Promise<ReadonlyMap<Id, MessageLinks>> {
  const naming = messages.filter(
    ({ postId, mentions }) => postId !== '' || mentions.posts !== undefined,
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
      const links: MessageLinks = found.mentioned(text);
      const title = text.postId === '' ? undefined : found.titleFor(text, text.postId);
      if (text.postId === '' || title === undefined) return [text.id, links];
      links.post_id = text.postId;
      if (text.isCard) links.content = title;
      return [text.id, links];
    }),
  );
}

/** The same for what a text mentions that is about to be posted to a channel. */
export async function mentionedIn(
  ctx: CommunityContext,
  { channel: { id: channelId, communityId } }: Pick<ChannelAccess, 'channel'>,
  mentions: Mentions,
): Promise<MessageLinks | undefined> {
  if (mentions.posts === undefined) return undefined;
  // It has no id yet; any will do.
  const text = { id: channelId, channelId, communityId, mentions };
  return (await findNamed(ctx, [text], [])).mentioned(text);
}
