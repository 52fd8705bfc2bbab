import type { InstanceInfo, OwnServices } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { pageAt, pageTemplate, renderManifest, renderPage } from './page.ts';

const PAGE =
  '<head><base href="./" /><title>A client</title><script type="application/json" id="instance-info"></script></head><body></body>';
const INFO: InstanceInfo = {
  instance_name: 'Hearth',
  description: null,
  version: '0.3.2',
  message_limit: 2048,
  oprish_url: 'http://h:1',
  pandemonium_url: 'ws://h:2',
  effis_url: 'http://h:3',
  file_size: 1,
  attachment_file_size: 2,
};

const ALONE: OwnServices = {
  paths: {},
  has_public_url: false,
  file_addresses: [],
  listed_addresses: [],
};

const render = (info: InstanceInfo, own = ALONE) =>
  renderPage(pageTemplate(PAGE, info.instance_name), info, own);

/** Returns what a browser reads from a page. */
async function readPage(page: string) {
  const read = { elements: Array.of<string>(), info: '', title: '' };
  const add = (key: 'info' | 'title') => ({
    text: ({ text }: { readonly text: string }) => void (read[key] += text),
  });
  const rewriter = new HTMLRewriter()
    .on('*', { element: ({ tagName }) => void read.elements.push(tagName) })
    .on('#instance-info', add('info'))
    .on('title', add('title'));
  await rewriter.transform(new Response(page)).text();
  return read;
}

test.each([
  '</script><script>alert(1)</script>',
  '<!--<script>',
  '<!-- <script> -->',
  ']]></SCRIPT >',
  '</title><img src=x onerror=alert(1)>',
  '&lt;/script&gt; &amp; "quoted" \'quoted\'',
  "$& $1 $` $' $$",
  '\u2028\u2029\0\u{1f525}',
])('[WC5] a name and description of %j stay text', async (text) => {
  const info = { ...INFO, instance_name: text, description: text };
  const read = await readPage(render(info));
  expect(read.elements).toEqual(['head', 'base', 'title', 'script', 'body']);
  expect(JSON.parse(read.info)).toEqual(info);
});

test('[WC5] no text adds an element or a comment', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), async (text) => {
      const read = await readPage(render({ ...INFO, instance_name: text, description: text }));
      expect(read.elements).toHaveLength(5);
      expect(JSON.parse(read.info)).toMatchObject({ instance_name: text });
    }),
  );
});

test("[WC5] the title is the instance's name", () => {
  expect(render({ ...INFO, instance_name: `Ada's <home> & "more"` })).toContain(
    '<title>Ada&#39;s &#60;home&#62; &#38; &#34;more&#34;</title>',
  );
});

test('a page without a base or a place for the information is refused', () => {
  const base = '<base href="./" />';
  expect(() => pageTemplate(PAGE.replace(base, ''), 'Hearth')).toThrow(base);
  expect(() => pageTemplate(`<head>${base}</head>`, 'Hearth')).toThrow('instance information');
});

test('[WC12] a manifest gets the name, and the description if there is one', () => {
  const manifest = { name: 'A', short_name: 'B', description: 'C', start_url: './' };
  expect(JSON.parse(renderManifest(manifest, { ...INFO, instance_name: 'Home' }))).toEqual({
    ...manifest,
    name: 'Home',
    short_name: 'Home',
  });
  const described = { ...INFO, description: 'A home' };
  expect(JSON.parse(renderManifest(manifest, described))).toMatchObject({ description: 'A home' });
});

test.each([
  ['/', './'],
  ['/index.html', './'],
  ['/settings', './'],
  ['/settings/', '../'],
  ['/lobby/12', '../'],
  ['//', '../'],
  ['/c/gardens/7/12', '../../../'],
])('[WC9] the addresses of the page at %s count from %s', (path, base) => {
  const page = render(INFO);
  expect(pageAt(page, path)).toBe(page.replace('<base href="./" />', `<base href="${base}" />`));
  const elsewhere = 'https://example.org/below/a/proxy';
  expect(new URL(base, elsewhere + path).href).toBe(`${elsewhere}/`);
});

test('[OA4] a page says what it finds at its own origin, and says nothing if that is nothing', () => {
  const own = { ...ALONE, paths: { rest: 'api' }, file_addresses: ['http://h/</script>'] };
  const page = render(INFO, own);
  const [, json = ''] = /id="own-services">(.*?)<\/script>/.exec(page) ?? [];
  expect(JSON.parse(json)).toEqual(own);
  expect(render(INFO)).not.toContain('own-services');
});

test('[WC62] a page says whether it needs the access code', () => {
  const own = { ...ALONE, access_code: true };
  const [, json = ''] = /id="own-services">(.*?)<\/script>/.exec(render(INFO, own)) ?? [];
  expect(JSON.parse(json)).toEqual(own);
});
