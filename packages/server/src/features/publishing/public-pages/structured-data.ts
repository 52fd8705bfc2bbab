import { personName, type Comment, type UserSummary } from '@hearth/protocol';
import type { PlainAddresses } from './addresses.ts';
import { coveredText } from './post-html.ts';
import type { PublicPost } from './read-public.ts';
import type { RenderedTexts } from './rendered-texts.ts';

/** More of a post and of each comment is not read: parsing takes time. */
const MOST_TEXT_CHARACTERS = 5_000;
const MOST_COMMENT_CHARACTERS = 1_000;
const MOST_COMMENTS = 20;

/** A post as search engines understand it: schema.org/DiscussionForumPosting. */
export async function postData(
  post: PublicPost,
  {
    url,
    tree,
    to,
    texts,
  }: {
    readonly url: string;
    readonly tree: readonly Comment[];
    readonly to: PlainAddresses;
    readonly texts: RenderedTexts;
  },
): Promise<object> {
  const text = await texts.words(coveredText(post), MOST_TEXT_CHARACTERS);
  const comment: object[] = [];
  for (const each of tree.slice(0, MOST_COMMENTS)) {
    const { user, content, created_at: createdAt } = each;
    if (user === undefined || content === undefined) continue;
    const said = await texts.words(content, MOST_COMMENT_CHARACTERS);
    comment.push(commentData(said, personData(user, to), createdAt));
  }
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
    comment,
  };
}

function commentData(text: string, author: object, createdAt: number): object {
  return { '@type': 'Comment', text, author, datePublished: iso(createdAt) };
}

function personData(user: UserSummary, to: PlainAddresses) {
  return {
    '@type': 'Person',
    name: personName(user),
    ...(user.deleted !== true && { url: to.user(user.username) }),
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
