import type { Id } from '@hearth/protocol';
import { describe, expect, test } from 'bun:test';
import { feedDocument, xml, type Feed } from './feed.ts';
import { sitemapDocument } from './site-documents.ts';

const feed: Feed = {
  id: '3' as Id,
  title: 'Garden & co',
  description: 'What grows <here>',
  url: 'https://home.example/c/garden',
  selfUrl: 'https://home.example/c/garden.rss',
  updatedAtMs: Date.UTC(2026, 10, 2, 3, 4, 5),
  entries: [
    {
      id: '7' as Id,
      url: 'https://home.example/c/garden/p/7/tulips',
      title: 'Tulips "early" ]]>',
      author: 'ada',
      html: '<p>They are <em>red</em> & open</p>',
      createdAtMs: Date.UTC(2026, 10, 1, 2, 3, 4),
      updatedAtMs: Date.UTC(2026, 10, 2, 3, 4, 5),
    },
  ],
};

/** The elements of a document, which has to be well-formed: each start has its end. */
function elementsOf(document: string): readonly string[] {
  const open: string[] = [];
  const names: string[] = [];
  for (const [, close, name = '', rest = ''] of document.matchAll(/<(\/?)([a-z:]+)([^>]*)>/gi)) {
    if (close === '/') expect(open.pop()).toBe(name);
    else {
      names.push(name);
      if (!rest.endsWith('/')) open.push(name);
    }
  }
  expect(open).toEqual([]);
  expect(document.replaceAll(/<[^>]*>/g, '')).not.toMatch(/[<>]|&(?!#\d+;)/);
  return names;
}

describe('[SY1] a feed', () => {
  test('a feed is an RSS document', () => {
    const document = feedDocument(feed, 'rss');
    expect(elementsOf(document)).toContain('guid');
    expect(document).toContain('<pubDate>Sun, 01 Nov 2026 02:03:04 GMT</pubDate>');
    expect(document).toContain('<title>Garden &#38; co</title>');
    expect(document).toContain('&#60;p&#62;They are');
    expect(document).toContain('href="https://home.example/c/garden.rss" rel="self"');
  });

  test('a feed is an Atom document', () => {
    const document = feedDocument(feed, 'atom');
    expect(elementsOf(document)).toContain('entry');
    expect(document).toContain('<updated>2026-11-02T03:04:05.000Z</updated>');
    expect(document).toContain(
      '<link href="https://home.example/c/garden/p/7/tulips" rel="alternate"',
    );
    expect(document).toContain('<content type="html">&#60;p&#62;');
  });

  test('[SY13] a feed names itself and its entries by the identifiers of what they are about', () => {
    const atom = feedDocument(feed, 'atom');
    expect([...atom.matchAll(/<id>(.*?)<\/id>/g)].map(([, id]) => id)).toEqual([
      'urn:hearth:3',
      'urn:hearth:7',
    ]);
    const rss = feedDocument(feed, 'rss');
    expect(rss.match(/<guid[^]*?<\/guid>/g)).toEqual([
      '<guid isPermaLink="false">urn:hearth:7</guid>',
    ]);
  });

  test('a feed has no characters that XML cannot have', () => {
    expect(xml('a\u0000\u0008\uFFFF\uD800b\tc\n')).toBe('a\uFFFDb\tc\n');
  });
});

test('[SY3] a sitemap lists pages', async () => {
  const entries = [{ url: 'https://home.example/c/a?b&c', updatedAtMs: feed.updatedAtMs }];
  const document = await sitemapDocument(entries);
  expect(elementsOf(document)).toEqual(['urlset', 'url', 'loc', 'lastmod']);
  expect(document).toContain('<loc>https://home.example/c/a?b&#38;c</loc>');
});
