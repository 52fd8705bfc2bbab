import { ANYONE } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { KeepsCommunities } from '../../communities/structure/structure.ts';
import { requireReader } from '../../accounts/users/users.ts';
import { letOthersRun } from '../../../lib/let-others-run.ts';
import { plainPaths } from './addresses.ts';
import { KnownPublicPages } from './known-public-pages.ts';
import type { FindShown, ShownPlaces } from './shown.ts';
import { xml } from './feed.ts';

const SITEMAP = '/sitemap.xml';

/** Documents for programs that read all of an instance, by their paths. */
export function siteDocuments(ctx: Context & KeepsCommunities): ShownPlaces {
  return new Map([
    [SITEMAP, sitemapOf(ctx)],
    ['/robots.txt', robots],
  ]);
}

const robots: FindShown = async () => ({
  of: ['robots'],
  render: async (to) => ({
    contentType: 'text/plain; charset=utf-8',
    text: `User-agent: *\nAllow: /\nSitemap: ${to.at(SITEMAP)}\n`,
  }),
});

function sitemapOf(ctx: Context & KeepsCommunities): FindShown {
  const known = new KnownPublicPages(ctx);
  return async () => {
    await requireReader(ctx, ANYONE);
    const { communities, posts, number } = await known.now();
    return {
      of: ['sitemap', number],
      async render(to) {
        const entries = [
          ...communities.map((each) => [plainPaths.community(each), each.atMs] as const),
          ...posts.map((each) => [plainPaths.post(each, each), each.atMs] as const),
        ].map(([path, updatedAtMs]) => ({ url: to.at(path), updatedAtMs }));
        return {
          contentType: 'application/xml; charset=utf-8',
          text: await sitemapDocument(entries),
        };
      },
    };
  };
}

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
