import { beginningOf } from '@hearth/markdown';
import type { Comment, UserSummary } from '@hearth/protocol';
import type { PlainAddresses } from './addresses.ts';
import { markdownText } from './markdown-text.ts';
import { coveredText } from './post-html.ts';
import type { PublicPost } from './read-public.ts';

/** More of a post and of each comment is not read: parsing takes time. */
const MOST_TEXT_CHARACTERS = 5_000;
const MOST_COMMENT_CHARACTERS = 1_000;
const MOST_COMMENTS = 20;

/** A post as search engines understand it: schema.org/DiscussionForumPosting. */
export function postData(
  post: PublicPost,
  {
    url,
    tree,
    to,
  }: { readonly url: string; readonly tree: readonly Comment[]; readonly to: PlainAddresses },
): object {
  const text = textOf(coveredText(post), MOST_TEXT_CHARACTERS);
  const { score, edited_at: editedAt } = post;
  return {
    '@context': 'https://schema.org',
    '@type': 'DiscussionForumPosting',
    '@id': url,
    url,
    mainEntityOfPage: url,
    headline: post.title,
    ...(text !== '' && { text }),
    ...(post.url !== undefined && { sharedContent: { '@type': 'WebPage', url: post.url } }),
    author: personData(post.user, to),
    datePublished: iso(post.created_at),
    ...(editedAt !== undefined && { dateModified: iso(editedAt) }),
    interactionStatistic: [
      ...(score === undefined ? [] : [counted('LikeAction', Math.max(0, score))]),
      counted('CommentAction', post.comment_count),
    ],
    comment: tree.slice(0, MOST_COMMENTS).flatMap((comment) => commentData(comment, to)),
  };
}

function commentData(
  { user, content, created_at: createdAt }: Comment,
  to: PlainAddresses,
): object[] {
  if (user === undefined || content === undefined) return [];
  const text = textOf(content, MOST_COMMENT_CHARACTERS);
  return [
    { '@type': 'Comment', text, author: personData(user, to), datePublished: iso(createdAt) },
  ];
}

function textOf(content: string, most: number): string {
  return markdownText(beginningOf(content, most));
}

function personData({ username, display_name: name, deleted }: UserSummary, to: PlainAddresses) {
  return {
    '@type': 'Person',
    name: name ?? username,
    ...(deleted !== true && { url: to.user(username) }),
  };
}

function counted(action: string, count: number) {
  return {
    '@type': 'InteractionCounter',
    interactionType: `https://schema.org/${action}`,
    userInteractionCount: count,
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
