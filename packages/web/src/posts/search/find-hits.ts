import type { Comment, Id, Post } from '@hearth/protocol';
import type { Client, RequestOptions, SearchPage, SearchQuery } from '@hearth/sdk';
import { addPosts } from '@hearth/sdk/posts';
import { ownPath } from '../../lib/own-path.ts';
import type { Found } from '../../search/found.ts';
import { commentPath, postHref } from '../post-paths.ts';

/** Which posts or comments are searched. */
export interface HitsOf {
  readonly kind: 'posts' | 'comments';
  readonly community: Id;
  readonly slug: string;
  /** The name of a channel. */
  readonly nameOf: (channel: Id) => string;
}

/** The posts or comments of a community that a search finds, beside messages. Throws. */
export async function findHits(
  client: Client,
  { kind, ...of }: HitsOf,
  { query, ...options }: RequestOptions & { readonly query: SearchQuery },
): Promise<SearchPage<Found>> {
  const posts = addPosts(client);
  const asked = { ...query, community: of.community };
  if (kind === 'posts') {
    const { entries, next } = await posts.search(asked, options);
    return { messages: entries.map((post) => hitOfPost(post, of)), next };
  }
  const { entries, next } = await posts.comments.search(asked, options);
  return { messages: entries.map((comment) => hitOfComment(comment, of)), next };
}

type Named = Omit<HitsOf, 'kind' | 'community'>;

function hitOfPost(post: Post, { slug, nameOf: channelName }: Named): Found {
  const { id, user, created_at, content = '', title, spoiler, sensitive } = post;
  const isCovered = spoiler === true || sensitive === true;
  return {
    id,
    user,
    created_at,
    author: user.username,
    content: isCovered ? '' : content,
    foundIn: { name: channelName(post.channel_id), url: postHref(slug, post), title },
  };
}

/** Without its post, a comment still has an address. */
function hitOfComment(comment: Comment, { slug, nameOf: channelName }: Named): Found {
  const { id, post_id, post, user, created_at, content = '' } = comment;
  const { title = '' } = post ?? {};
  return {
    id,
    created_at,
    content,
    ...(user === undefined ? { author: '' } : { user, author: user.username }),
    foundIn: {
      name: post === undefined ? '' : channelName(post.channel_id),
      url: ownPath(commentPath(slug, { id: post_id, title }, id)),
      on: post?.title,
    },
  };
}
