import { ANYONE } from '../../../actor.ts';
import type { CommunityContext } from '../../../features/communities/community-context.ts';
import { listPublicPages } from '../../../features/post-lists/list-public-pages.ts';
import { requireReader } from '../../../features/users/require-reader.ts';
import type { HeadOf, Heads } from '../page-head.ts';
import { PlainAddresses } from './addresses.ts';
import { Describing } from './describing.ts';
import { sitemapDocument } from './sitemap.ts';

/** Documents for programs that read all of an instance, by their paths. */
export function siteDocuments(ctx: CommunityContext): Heads {
  const describing = new Describing();
  return new Map([
    ['/sitemap.xml', describing.limited(sitemapOf(ctx, describing))],
    [
      '/robots.txt',
      async (_params, webUrl) => ({
        contentType: 'text/plain; charset=utf-8',
        text: `User-agent: *\nAllow: /\nSitemap: ${webUrl}/sitemap.xml\n`,
      }),
    ],
  ] satisfies [string, Heads extends ReadonlyMap<string, infer Find> ? Find : never][]);
}

/** The sitemap is a moment old at most. Whether visitors may read at all is decided for each request. */
function sitemapOf(ctx: CommunityContext, describing: Describing): HeadOf {
  return async (_params, webUrl) => {
    await requireReader(ctx, ANYONE);
    return await describing.remembered(['sitemap', webUrl], async () => {
      const { communities, posts } = await listPublicPages(ctx);
      const to = new PlainAddresses(webUrl);
      const entries = [
        ...communities.map((each) => ({ url: to.community(each), updatedAtMs: each.atMs })),
        ...posts.map((each) => ({ url: to.post(each, each), updatedAtMs: each.atMs })),
      ];
      return { contentType: 'application/xml; charset=utf-8', text: sitemapDocument(entries) };
    });
  };
}
