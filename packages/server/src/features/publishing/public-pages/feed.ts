import type { Id } from '@hearth/protocol';
import { escapeHtml } from '../../../lib/html.ts';

/** The forms in which a list of posts can be followed: RSS 2.0 (rssboard.org) and Atom (RFC 4287). */
export type FeedFormat = 'rss' | 'atom';

export const FEED_TYPES = {
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
} as const satisfies Readonly<Record<FeedFormat, string>>;

export interface FeedEntry {
  readonly id: Id;
  /** Absolute; it changes with the title, the community's name in addresses and the address of the instance. */
  readonly url: string;
  readonly title: string;
  readonly author: string;
  /** As HTML. */
  readonly html: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A list of posts that can be followed. */
export interface Feed {
  /** That of what it is about. */
  readonly id: Id;
  readonly title: string;
  readonly description: string;
  /** The page of what it is about, absolute. */
  readonly url: string;
  /** Its own address, absolute. */
  readonly selfUrl: string;
  /** When something of it has changed last. */
  readonly updatedAtMs: number;
  readonly entries: readonly FeedEntry[];
}

/** A feed as a document. The same feed is always the same document. */
export function feedDocument(feed: Feed, format: FeedFormat): string {
  return format === 'rss' ? rssDocument(feed) : atomDocument(feed);
}

function rssDocument({ title, description, url, selfUrl, updatedAtMs, entries }: Feed): string {
  const items = entries.map(
    (entry) =>
      `<item>${element('title', entry.title)}${element('link', entry.url)}` +
      `<guid isPermaLink="false">${urn(entry.id)}</guid>${element('dc:creator', entry.author)}` +
      `${element('pubDate', new Date(entry.createdAtMs).toUTCString())}` +
      `${element('description', entry.html)}</item>`,
  );
  return (
    '<?xml version="1.0" encoding="utf-8"?>\n' +
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>' +
    `${element('title', title)}${element('link', url)}${element('description', description)}` +
    `<atom:link href="${xml(selfUrl)}" rel="self" type="application/rss+xml" />` +
    `${element('lastBuildDate', new Date(updatedAtMs).toUTCString())}` +
    `${items.join('')}</channel></rss>\n`
  );
}

function atomDocument(feed: Feed): string {
  const { id, title, description, url, selfUrl, updatedAtMs, entries } = feed;
  const items = entries.map(
    (entry) =>
      `<entry>${element('id', urn(entry.id))}${element('title', entry.title)}` +
      `<link href="${xml(entry.url)}" rel="alternate" type="text/html" />` +
      `<author>${element('name', entry.author)}</author>` +
      `${element('published', new Date(entry.createdAtMs).toISOString())}` +
      `${element('updated', new Date(entry.updatedAtMs).toISOString())}` +
      `<content type="html">${xml(entry.html)}</content></entry>`,
  );
  return (
    '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">' +
    `${element('id', urn(id))}${element('title', title)}${element('subtitle', description)}` +
    `<link href="${xml(url)}" rel="alternate" type="text/html" />` +
    `<link href="${xml(selfUrl)}" rel="self" type="application/atom+xml" />` +
    `${element('updated', new Date(updatedAtMs).toISOString())}${items.join('')}</feed>\n`
  );
}

/** The name that readers know a feed or an entry by. It never changes, whatever the title and the address are. */
function urn(id: Id): string {
  return `urn:hearth:${id}`;
}

function element(name: string, text: string): string {
  return `<${name}>${xml(text)}</${name}>`;
}

/** Characters that XML 1.0 cannot have (section 2.2), also not as references. */
// oxlint-disable-next-line no-control-regex -- these are meant
const NO_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

/** Escapes a text for an element or an attribute of XML, without what XML cannot have. */
export function xml(text: string): string {
  return escapeHtml(text.toWellFormed().replaceAll(NO_XML, ''));
}
