import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { withHead } from '../../../components/web/page.ts';
import { headHtml, type PageHead } from './page-head.ts';

const PAGE = '<head><base href="../" /><title>Lantern Street</title></head><body></body>';
const VIEW = { addresses: { rest: 'http://h:1', gateway: 'ws://h:2', files: 'http://h:3/' } };

/** Returns what a program reads from a page. */
async function read(head: Partial<PageHead>) {
  const whole = { title: 'Garden', description: undefined, picture: undefined, isListed: true };
  const page = withHead(PAGE, headHtml({ ...whole, ...head }, 'Lantern Street'), VIEW);
  const found = new Map<string, string>();
  let title = '';
  let elements = 0;
  await new HTMLRewriter()
    .on('*', { element: () => void (elements += 1) })
    .on('meta', {
      element: (meta) => {
        const name = meta.getAttribute('property') ?? meta.getAttribute('name') ?? '';
        found.set(name, meta.getAttribute('content') ?? '');
      },
    })
    .on('title', { text: ({ text }) => void (title += text) })
    .transform(new Response(page))
    .text();
  return { title, meta: found, elements };
}

test('[WC140] a place has a title, a description in one line, and a picture', async () => {
  const { title, meta } = await read({ description: 'A garden\n\nfor all', picture: '42' });
  expect(title).toBe('Garden · Lantern Street');
  expect(Object.fromEntries(meta)).toEqual({
    description: 'A garden for all',
    'og:description': 'A garden for all',
    'og:image': 'http://h:3/media/42?size=400',
    'og:site_name': 'Lantern Street',
    'og:title': 'Garden',
    'og:type': 'website',
  });
});

test('[WC140] what search engines may not list says so', async () => {
  expect((await read({})).meta.has('robots')).toBe(false);
  expect((await read({ isListed: false })).meta.get('robots')).toBe('noindex');
});

test('[WC140] a long description is cut between characters', async () => {
  const { meta } = await read({ description: '🏡'.repeat(400) });
  expect(meta.get('description')).toBe(`${'🏡'.repeat(299)}…`);
});

test('[WC140] no name and no description adds an element', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"><script>x</script>', '</title><b>', "' onload='", '$&$1'),
  );
  const { elements } = await read({ title: 'a', description: 'b' });
  await fc.assert(
    fc.asyncProperty(text, text, async (title, description) => {
      const read_ = await read({ title, description: `b${description}` });
      expect(read_.elements).toBe(elements);
    }),
    { numRuns: 50 },
  );
});
