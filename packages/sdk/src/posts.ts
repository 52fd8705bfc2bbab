/** The part of a client that knows posts, for programs that load it later than the rest. */
import type { Client } from './client.ts';
import { addCommunities } from './communities.ts';
import { PostFeed } from './posts/post-feed.ts';
import { PostsClient } from './posts/posts-client.ts';

/**
 * Gives a client that `createLightClient` made what `posts` needs, and what `addCommunities` adds. Once; later calls change
 * nothing.
 *
 * @example const { entries } = await addPosts(client).list('feed');
 */
export function addPosts(client: Client): PostsClient {
  addCommunities(client);
  return client.addPosts((host) => new PostsClient(host.api, new PostFeed(host)));
}
