import type { PlaceDocument } from '../page-head.ts';
import type { PlainAddresses } from './addresses.ts';
import { FEED_TYPES, feedDocument, type FeedEntry, type FeedFormat } from './feed.ts';
import { escapeHtml } from '../page-head.ts';
import { markdownHtml } from './markdown-html.ts';
import { coveredText } from './post-html.ts';
import type { PublicPost } from './read-public.ts';

/** The ending of an address that names a feed. */
const ENDING = /\.(rss|atom)$/;

/** A part of an address, without the ending that names a feed if it has one. */
export function withoutFeed(part: string): { readonly name: string; readonly format?: FeedFormat } {
  const format = ENDING.exec(part)?.[1];
  if (format !== 'rss' && format !== 'atom') return { name: part };
  return { name: part.slice(0, -format.length - 1), format };
}

/** What a feed is about. */
export interface FeedPlace {
  readonly title: string;
  readonly description: string;
  /** The page of it, absolute. */
  readonly url: string;
  readonly createdAtMs: number;
}

/** A feed of posts, the newest first. */
export function feedOf(
  posts: readonly PublicPost[],
  { createdAtMs, ...place }: FeedPlace,
  { format, to }: { readonly format: FeedFormat; readonly to: PlainAddresses },
): PlaceDocument {
  const entries = posts.map(({ post, community }): FeedEntry => {
    const { user, title, created_at: writtenAtMs, edited_at: editedAtMs } = post;
    return {
      url: to.post(community, post),
      title,
      author: user.display_name ?? user.username,
      html: entryHtml(post),
      createdAtMs: writtenAtMs,
      updatedAtMs: editedAtMs ?? writtenAtMs,
    };
  });
  const updatedAtMs = Math.max(createdAtMs, ...entries.map((entry) => entry.updatedAtMs));
  const feed = { ...place, selfUrl: `${place.url}.${format}`, updatedAtMs, entries };
  return { contentType: FEED_TYPES[format], text: feedDocument(feed, format) };
}

function entryHtml(post: PublicPost['post']): string {
  const { url, content_cut: isCut } = post;
  const link =
    url === undefined ? '' : `<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`;
  const text = coveredText(post);
  return link + (text === '' ? '' : markdownHtml(isCut === true ? `${text} …` : text));
}
