import { letOthersRun } from '../../../lib/let-others-run.ts';
import { xml } from './feed.ts';

/** A page that search engines may list. */
export interface SitemapEntry {
  /** Absolute. */
  readonly url: string;
  readonly updatedAtMs: number;
}

/** The number of entries that are written in a turn of the event loop. */
const AT_ONCE = 500;

/** A sitemap (sitemaps.org, 0.9). */
export async function sitemapDocument(entries: Iterable<SitemapEntry>): Promise<string> {
  const items: string[] = [];
  for (const { url, updatedAtMs } of entries) {
    items.push(
      `<url><loc>${xml(url)}</loc><lastmod>${new Date(updatedAtMs).toISOString()}</lastmod></url>`,
    );
    if (items.length % AT_ONCE === 0) await letOthersRun();
  }
  return (
    '<?xml version="1.0" encoding="utf-8"?>\n' +
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${items.join('')}</urlset>\n`
  );
}
