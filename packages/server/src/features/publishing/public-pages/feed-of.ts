import { personName, type Id } from '@hearth/protocol';
import { escapeHtml } from '../../../lib/html.ts';
import { FEED_TYPES, feedDocument, type FeedEntry, type FeedFormat } from './feed.ts';
import { coveredText } from './post-html.ts';
import type { ListedPost, PublicPost } from './read-public.ts';
import type { RenderedTexts } from './rendered-texts.ts';
import type { Shown } from './shown.ts';

/** The ending of an address that names a feed. */
const ENDING = /\.(rss|atom)$/;

/** A part of an address, without the ending that names a feed if it has one. */
export function withoutFeed(part: string): { readonly name: string; readonly format?: FeedFormat } {
  const format = ENDING.exec(part)?.[1];
  if (format !== 'rss' && format !== 'atom') return { name: part };
  return { name: part.slice(0, -format.length - 1), format };
}

/** The place whose posts a feed lists. */
export interface FeedPlace {
  readonly id: Id;
  readonly title: string;
  readonly description: string;
  /** The path of its page. */
  readonly path: string;
  readonly createdAtMs: number;
}

interface FeedPost extends Omit<FeedEntry, 'url' | 'html'>, Pick<PublicPost, 'url'> {
  readonly path: string;
  readonly text: string;
}

/** A feed of posts, the newest first. */
export function feedOf(
  posts: readonly ListedPost[],
  place: FeedPlace,
  { format, texts }: { readonly format: FeedFormat; readonly texts: RenderedTexts },
): Shown {
  const said = posts.map(feedPost);
  return {
    of: ['feed', format, place, said],
    async render(to) {
      const { path, createdAtMs, ...about } = place;
      const entries: FeedEntry[] = [];
      for (const post of said) {
        const html = linkHtml(post) + (await texts.html(post.text));
        entries.push({ ...post, url: to.at(post.path), html });
      }
      const updatedAtMs = Math.max(createdAtMs, ...entries.map((entry) => entry.updatedAtMs));
      const url = to.at(path);
      const feed = { ...about, url, selfUrl: `${url}.${format}`, updatedAtMs, entries };
      return { contentType: FEED_TYPES[format], text: feedDocument(feed, format) };
    },
  };
}

function feedPost({ post, path }: ListedPost): FeedPost {
  const { id, user, title, url, created_at: createdAtMs, edited_at: editedAtMs } = post;
  const text = coveredText(post);
  return {
    id,
    path,
    title,
    author: personName(user),
    ...(url !== undefined && { url }),
    text: text !== '' && post.content_cut === true ? `${text} …` : text,
    createdAtMs,
    updatedAtMs: editedAtMs ?? createdAtMs,
  };
}

function linkHtml({ url }: FeedPost): string {
  return url === undefined ? '' : `<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`;
}
