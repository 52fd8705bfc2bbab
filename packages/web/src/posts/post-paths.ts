import { titleSegment, webPath, type Id, type Post } from '@hearth/protocol';
import { ownPath } from '../lib/own-path.ts';

/** The address of a post within the page. */
export function postHref(slug: string, { id, title }: Pick<Post, 'id' | 'title'>): string {
  return ownPath(postPath(slug, { id, title }));
}

/** The path of a post. */
export function postPath(slug: string, { id, title }: Pick<Post, 'id' | 'title'>): string {
  return webPath('post', { slug, post_id: id, title: titleSegment(title) });
}

/** The path of a comment on a post. */
export function commentPath(
  slug: string,
  { id, title }: Pick<Post, 'id' | 'title'>,
  comment: Id,
): string {
  const params = { slug, post_id: id, title: titleSegment(title), comment_id: comment };
  return webPath('postComment', params);
}
