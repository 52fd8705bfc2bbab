import { accountName } from './author-name.ts';
import type { Client, PostSearch, ReceivedComment } from '@hearth/sdk';
import type { Surroundings } from '../command.ts';
import { listingText } from '../listing.ts';
import { formatTime, inLine } from '../text.ts';
import { findPosts } from './find-channel.ts';
import { LineWriter } from './line-writer.ts';
import { newestFound } from './newest-found.ts';
import { jsonLine, POST_LISTING } from './post-text.ts';
import type { SearchRequest } from './search.ts';
import { withClient } from './with-client.ts';
import { coveredText } from './message-text.ts';

/** The arguments of `hearth search` with `--kind`. */
export interface PostSearchRequest extends Omit<SearchRequest, 'place'> {
  readonly kind: 'posts' | 'comments';
  /** The channel or community to search. */
  readonly place: string;
}

/** Prints the posts or comments that a search finds. Resolves with the exit code. */
export function searchPosts(
  { kind, query, limit, asJson, place, ...instance }: PostSearchRequest,
  { warn, env, streams }: Surroundings,
): Promise<number> {
  return withClient(instance, { warn, env }, async (client, account) => {
    const { community, channel } = await findPosts(client, place, account);
    const where = channel === undefined ? { community: community.id } : { in: channel.id };
    const output = new LineWriter(streams.stdout);
    output.write(await textOf(client, { kind, asJson, limit, search: { ...query, ...where } }));
    return output.finish(warn);
  });
}

interface Searching extends Pick<PostSearchRequest, 'kind' | 'asJson' | 'limit'> {
  readonly search: PostSearch;
}

async function textOf(
  { posts }: Client,
  { kind, asJson, limit, search }: Searching,
): Promise<string> {
  if (kind === 'comments') {
    const found = await newestFound((page) => posts.comments.search({ ...search, ...page }), limit);
    return found.map(asJson ? jsonLine : lineOf).join('');
  }
  const found = await newestFound((page) => posts.search({ ...search, ...page }), limit);
  if (asJson) return found.map(jsonLine).join('');
  return found.length === 0 ? '' : listingText(POST_LISTING, found, new Map());
}

function lineOf({
  id,
  post_id: postId,
  post,
  user,
  content = '',
  created_at: createdAt,
}: ReceivedComment) {
  const text = inLine(coveredText(content));
  const author = user === undefined ? '' : inLine(accountName(user));
  const on = post === undefined ? `post ${postId}` : `“${inLine(post.title)}”, post ${postId}`;
  return `${formatTime(createdAt)} ${author}: ${text} (comment ${id} on ${on})\n`;
}
