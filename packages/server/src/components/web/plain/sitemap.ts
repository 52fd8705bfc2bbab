import { xml } from './feed.ts';

/** A page that search engines may list. */
export interface SitemapEntry {
  /** Absolute. */
  readonly url: string;
  readonly updatedAtMs: number;
}

/** A sitemap (sitemaps.org, 0.9). */
export function sitemapDocument(entries: readonly SitemapEntry[]): string {
  return documentOf('urlset', 'url', entries);
}

/** The list of the sitemaps of an instance. */
export function sitemapIndex(entries: readonly SitemapEntry[]): string {
  return documentOf('sitemapindex', 'sitemap', entries);
}

function documentOf(root: string, name: string, entries: readonly SitemapEntry[]): string {
  const items = entries.map(
    ({ url, updatedAtMs }) =>
      `<${name}><loc>${xml(url)}</loc><lastmod>${new Date(updatedAtMs).toISOString()}</lastmod></${name}>`,
  );
  return (
    '<?xml version="1.0" encoding="utf-8"?>\n' +
    `<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${items.join('')}</${root}>\n`
  );
}
