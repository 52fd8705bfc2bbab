import type { CommunityContext } from '../../../features/communities/community-context.ts';
import { listPublicPages } from '../../../features/post-lists/list-public-pages.ts';
import type { Heads } from '../page-head.ts';
import { PlainAddresses } from './addresses.ts';
import { Describing } from './describing.ts';
import { sitemapDocument } from './sitemap.ts';

/** Documents for programs that read all of an instance, by their paths. */
export function siteDocuments(ctx: CommunityContext): Heads {
  const describing = new Describing();
  return new Map([
    [
      '/sitemap.xml',
      async (_params, webUrl) => {
        const { communities, posts } = await describing.remembered(['sitemap'], () =>
          listPublicPages(ctx),
        );
        const to = new PlainAddresses(webUrl);
        const entries = [
          ...communities.map((each) => ({ url: to.community(each), updatedAtMs: each.atMs })),
          ...posts.map((each) => ({ url: to.post(each, each), updatedAtMs: each.atMs })),
        ];
        return { contentType: 'application/xml; charset=utf-8', text: sitemapDocument(entries) };
      },
    ],
    [
      '/robots.txt',
      async (_params, webUrl) => ({
        contentType: 'text/plain; charset=utf-8',
        text: `User-agent: *\nAllow: /\nSitemap: ${webUrl}/sitemap.xml\n`,
      }),
    ],
  ] satisfies [string, Heads extends ReadonlyMap<string, infer Find> ? Find : never][]);
}
