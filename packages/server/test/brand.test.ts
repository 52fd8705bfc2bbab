import { startTestInstance, webAddressOf } from '@hearth/testing/instances/test-instance';
import { webFolder } from '@hearth/testing/instances/web-folder';
import { newDataFolder } from '@hearth/testing/instances/new-data-folder';
import { expect, test } from 'bun:test';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fixtureBytes } from '@hearth/testing/media/fixtures';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <base href="./" />
    <title>A client</title>
    <link rel="icon" href="icon.svg" type="image/svg+xml" />
    <link rel="apple-touch-icon" href="icon-180.png" />
    <link rel="stylesheet" href="assets/main-4e5f6a7b.css" />
    <script type="application/json" id="instance-info"></script>
  </head>
  <body></body>
</html>
`;

/** An instance with these settings for its web client, and a file of this name beside its instance file. */
async function start(web: string, [name, content]: readonly [string, string | Uint8Array]) {
  await using resources = new AsyncDisposableStack();
  const site = resources.use(await webFolder({ 'index.html': PAGE }));
  const folder = resources.adopt(await newDataFolder(), (path) =>
    rm(path, { recursive: true, force: true }),
  );
  await writeFile(join(folder, name), content);
  const toml = `[web]\n${web}`;
  const instance = resources.use(await startTestInstance({ toml, folder, web: site.path }));
  const address = webAddressOf(instance);
  const owned = resources.move();
  return {
    get: async (path: string) => fetch(new URL(path, `${address}/`)),
    page: async () => (await fetch(address)).text(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const hrefOf = (page: string, rel: string) =>
  [...page.matchAll(new RegExp(`<link rel="${rel}" href="([^"]*)"`, 'g'))].at(-1)?.[1] ?? '';

test('[WC90][WC90a] the page and the manifest have the icon of the instance file, which may be cached', async () => {
  const png = await fixtureBytes('palette.png');
  await using web = await start('icon = "our icon.png"', ['our icon.png', png]);
  const page = await web.page();
  const href = hrefOf(page, 'icon');
  expect(href).toMatch(/^assets\/icon-[0-9a-f]{12}\.png$/);
  expect(hrefOf(page, 'apple-touch-icon')).toBe(href);
  const icon = await web.get(href);
  expect(await icon.bytes()).toEqual(Uint8Array.from(png));
  expect(icon.headers.get('content-type')).toBe('image/png');
  expect(icon.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const manifest = await (await web.get('manifest.webmanifest')).json();
  expect(manifest).toMatchObject({
    icons: [{ src: href, sizes: '67x45', type: 'image/png', purpose: 'any' }],
  });
  // Where the client names the icon of the build, it gets this one, which has to be revalidated.
  const own = await web.get('icon.svg');
  expect(own.headers.get('content-type')).toBe('image/png');
  expect(own.headers.get('cache-control')).toBe('no-cache');
});

test('[WC90][WC90a] an SVG icon runs no script, even if it is opened on its own', async () => {
  await using web = await start('icon = "a.svg"', ['a.svg', SVG]);
  const icon = await web.get(hrefOf(await web.page(), 'icon'));
  expect(await icon.text()).toBe(SVG);
  expect(icon.headers.get('content-type')).toBe('image/svg+xml');
  expect(icon.headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
  expect(icon.headers.get('content-security-policy')).not.toContain('script-src');
  expect(icon.headers.get('x-content-type-options')).toBe('nosniff');
});

test('[WC91] the page has the accent in a stylesheet of its own, and the manifest has it too', async () => {
  await using web = await start('accent = "#0B57D0"', ['unused', '']);
  const response = await web.get('/');
  const page = await response.text();
  const href = hrefOf(page, 'stylesheet');
  expect(href).toMatch(/^assets\/accent-[0-9a-f]{12}\.css$/);
  expect(page.indexOf(href)).toBeGreaterThan(page.indexOf('assets/main-4e5f6a7b.css'));
  expect(response.headers.get('content-security-policy')).toContain("style-src 'self'");
  const styles = await web.get(href);
  expect(styles.headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect(await styles.text()).toContain(':root{--ember:#0b57d0;');
  expect(await (await web.get('manifest.webmanifest')).json()).toMatchObject({
    theme_color: '#0b57d0',
  });
});

test.each<[problem: string, name: string, content: string | Uint8Array]>([
  ['which cannot be read: there is no such file', 'other.png', ''],
  ['which is none of these', 'icon.png', 'a text'],
  ['which is none of these', 'icon.png', '<html><svg></svg></html>'],
  ['which has more than 1MB', 'icon.png', Buffer.alloc(1_000_001)],
])('[WC90] an icon is refused %s', async (problem, name, content) => {
  const started = start('icon = "icon.png"', [name, content]);
  const error: unknown = await started.catch((reason: unknown) => reason);
  expect(String(error)).toContain(
    `web.icon: expected a PNG, SVG or WebP file, got "icon.png", ${problem}`,
  );
});

test('[WC90][WC91] without these settings, the page is that of the build', async () => {
  await using web = await start('', ['unused', '']);
  const page = await web.page();
  expect(hrefOf(page, 'icon')).toBe('icon.svg');
  expect(hrefOf(page, 'stylesheet')).toBe('assets/main-4e5f6a7b.css');
});
