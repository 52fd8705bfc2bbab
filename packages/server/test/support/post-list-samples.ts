import type { Sample } from './samples.ts';

/** Requests for lists of posts. */
export function postListSamples({
  adaId,
  communityId,
  posts,
}: {
  readonly adaId: string;
  readonly communityId: string;
  /** A channel with posts. */
  readonly posts: string;
}): Readonly<Record<string, readonly Sample[]>> {
  const bad = { query: '?sort=best' };
  const [channel, community] = [{ channel_id: posts }, { community_id: communityId }];
  return {
    listChannelPosts: [
      { path: channel },
      { path: { channel_id: '1' } },
      { path: channel, ...bad },
      { path: channel, query: '?cursor=none' },
    ],
    listCommunityPosts: [
      { path: community, query: '?sort=top&since=year' },
      { path: { community_id: '1' } },
      { path: community, ...bad },
    ],
    listFeed: [{ by: 'ada' }, { by: 'ada', ...bad }],
    listUserPosts: [
      { path: { id: adaId } },
      { path: { id: '1' } },
      { path: { id: adaId }, query: '?limit=x' },
    ],
  };
}
