import type { Id } from '@hearth/protocol';
import { findNamed, type NamingContext } from '../../talk/mentions/mentions.ts';
import { everyoneSees } from '../../talk/places/places.ts';
import type { Links } from './describe-post.ts';
import type { StoredPost } from './stored-post.ts';

/** Reads what posts link to, by their ids; only what everyone sees who sees the post. */
export async function linksOf(
  ctx: NamingContext,
  posts: readonly StoredPost[],
): Promise<ReadonlyMap<Id, Links>> {
  const linking = posts.filter(
    ({ fromMessageId, crosspostOf, mentions }) =>
      fromMessageId !== '' || crosspostOf !== '' || mentions.posts !== undefined,
  );
  if (linking.length === 0) return new Map();
  const named = linking.flatMap(({ crosspostOf }) => (crosspostOf === '' ? [] : [crosspostOf]));
  const found = await findNamed(ctx, linking, named);
  return new Map(
    linking.map((post): [Id, Links] => {
      const { fromChannelId, fromMessageId, crosspostOf } = post;
      const links: Links = found.mentioned(post);
      const place = found.placeOf(post);
      const channel = fromChannelId && place?.community.channelById.get(fromChannelId);
      if (place && channel && fromMessageId !== '') {
        const other = { community: place.community, channel };
        if (everyoneSees(place, other)) {
          links.from_message = { channel_id: fromChannelId, id: fromMessageId };
        }
      }
      if (crosspostOf !== '' && found.titleFor(post, crosspostOf) !== undefined) {
        links.crosspost_of = crosspostOf;
      }
      return [post.id, links];
    }),
  );
}
