import type { Client, PostPlace, PostQuery, ReceivedPost } from '@hearth/sdk';
import type { Invocation, Surroundings } from '../command.ts';
import { listingText } from '../listing.ts';
import { findPosts } from './find-channel.ts';
import { LineWriter } from './line-writer.ts';
import { POST_LISTING } from './post-text.ts';
import { missingAccount, withClient, type Account, type InstanceRequest } from './with-client.ts';

/** The arguments of `hearth posts`. */
export interface PostsRequest extends InstanceRequest {
  /** The channel or community; undefined for those of the person. */
  readonly place: string | undefined;
  readonly query: Pick<PostQuery, 'sort' | 'since'>;
  readonly limit: number;
  readonly flags: Invocation['flags'];
}

/** The instance answers with so many at most. */
const MOST_PER_PAGE = 100;

/** Prints posts. Resolves with the exit code. */
export function listPosts(
  { place, query, limit, flags, ...instance }: PostsRequest,
  { warn, env, streams }: Surroundings,
): Promise<number> {
  return withClient(instance, { warn, env }, async (client, account) => {
    if (place === undefined && account === undefined) return missingAccount(client, warn);
    const from = place === undefined ? 'feed' : await placeOf(client, place, account);
    const posts: ReceivedPost[] = [];
    const pages = { ...query, limit: Math.min(limit, MOST_PER_PAGE) };
    for await (const post of client.posts.all(from, pages)) {
      posts.push(post);
      if (posts.length >= limit) break;
    }
    const output = new LineWriter(streams.stdout);
    output.write(listingText(POST_LISTING, posts, flags));
    return output.finish(warn);
  });
}

async function placeOf(
  client: Client,
  given: string,
  account: Account | undefined,
): Promise<PostPlace> {
  const { community, channel } = await findPosts(client, given, account);
  return channel === undefined ? { community_id: community.id } : { channel_id: channel.id };
}
