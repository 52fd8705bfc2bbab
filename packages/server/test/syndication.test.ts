import { RestPerson } from '@hearth/testing/clients/rest-person';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  webAddressOf,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { webFolder } from '@hearth/testing/instances/web-folder';
import type { TempFolder } from '@hearth/testing/temp-folder';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { jsonLogger } from '../src/log/logger.ts';
import { z } from 'zod';

let folder: TempFolder;
let instance: TestInstance;
let ada: Awaited<ReturnType<typeof RestPerson.register>>;

beforeAll(async () => {
  folder = await webFolder();
  const toml = `registration = "open"\ninstance_name = "Lantern Street"\n${GENEROUS_LIMITS}`;
  instance = await startTestInstance({ toml, web: folder.path });
  ada = await RestPerson.register(instance, 'ada');
});

afterAll(async () => {
  await instance[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const fetched = (path: string, headers: Record<string, string> = { Accept: 'text/html' }) =>
  fetch(webAddressOf(instance) + path, { headers });

const NOT_FOUND = { status: 404, message: 'The requested resource could not be found' };

const createdSchema = z.object({ id: z.string() });

/** A community with a channel for posts, and a post in it. */
async function garden(slug: string, input: Parameters<RestPerson['garden']>[1] = {}) {
  const { id, channels } = await ada.garden(slug, {
    kind: 'posts',
    visibility: 'public',
    ...input,
  });
  const channel = channels[0]?.id ?? '';
  return { id, channel, post: await posted(channel, { title: `Tulips of ${slug}` }) };
}

async function posted(channel: string, post: object): Promise<string> {
  const { id } = await ada.ok(createdSchema, 'POST', `/channels/${channel}/posts`, post);
  return id;
}

test('[SY1] the feeds of a public community, a channel and a person have the newest posts', async () => {
  const { channel, post } = await garden('tulips');
  await posted(channel, { title: 'Covered', content: 'the butler did it', spoiler: true });
  for (const place of ['/c/tulips', `/c/tulips/${channel}`, '/u/ada']) {
    for (const [format, type] of [
      ['rss', 'application/rss+xml'],
      ['atom', 'application/atom+xml'],
    ]) {
      const answer = await fetched(`${place}.${format}`, {});
      const text = await answer.text();
      expect([place, answer.status]).toEqual([place, 200]);
      expect(answer.headers.get('content-type')).toContain(type ?? '');
      expect(text).toContain(`/c/tulips/p/${post}/tulips-of-tulips`);
      expect(text).toContain('Covered');
      expect(text).not.toContain('butler');
      const etag = answer.headers.get('etag') ?? '';
      const again = await fetched(`${place}.${format}`, { 'If-None-Match': etag });
      expect(again.status).toBe(304);
    }
  }
});

test('[SY2] an unlisted or private community has no feed', async () => {
  await garden('unlisted-one', { visibility: 'unlisted' });
  await garden('private-one', { visibility: 'private' });
  for (const slug of ['nothing-here', 'unlisted-one', 'private-one']) {
    const answer = await fetched(`/c/${slug}.rss`);
    expect([slug, answer.status, await answer.json()]).toEqual([slug, 404, NOT_FOUND]);
  }
  const mine = await (await fetched('/u/ada.rss')).text();
  expect(mine).not.toContain('unlisted-one');
  expect(mine).not.toContain('private-one');
});

test('[SY2][SY6] a channel that becomes restricted has no feed and no page any more', async () => {
  const { id, channel, post } = await garden('closing');
  const paths = [`/c/closing/${channel}.rss`, '/c/closing.rss', `/c/closing/p/${post}/x`];
  for (const path of paths) expect(await (await fetched(path)).text()).toContain('Tulips');
  await ada.ok(z.unknown(), 'PUT', `/channels/${channel}/overwrites/${id}`, {
    ...{ kind: 'role', allow: [], deny: ['VIEW'] },
  });
  for (const path of paths) expect(await (await fetched(path)).text()).not.toContain('Tulips');
});

test('[SY6] what is posted, changed or deleted is in the next answer', async () => {
  const { channel, post } = await garden('current');
  const paths = ['/c/current.rss', `/c/current/${channel}.atom`, '/c/current', '/u/ada.rss'];
  const pages = () =>
    Promise.all(
      [...paths, `/c/current/p/${post}/x`].map(async (path) => (await fetched(path)).text()),
    );
  for (const page of await pages()) expect(page).toContain('Tulips of current');
  await ada.ok(z.unknown(), 'PATCH', `/posts/${post}`, { title: 'Lilies' });
  for (const page of await pages()) expect(page).toContain('Lilies');
  const comment = await ada.ok(createdSchema, 'POST', `/posts/${post}/comments`, {
    content: 'Sage',
  });
  expect((await pages()).at(-1)).toContain('Sage');
  await ada.ok(z.unknown(), 'PATCH', `/comments/${comment.id}`, { content: 'Mint' });
  expect((await pages()).at(-1)).toContain('Mint');
  await ada.ok(z.unknown(), 'DELETE', `/posts/${post}`);
  for (const page of await pages()) expect(page).not.toContain('Lilies');
});

test('[SY3] the sitemap lists public communities and posts', async () => {
  const { channel, post } = await garden('mapped');
  const hidden = await garden('unmapped', { visibility: 'unlisted' });
  const sensitive = await posted(channel, { title: 'Wound', sensitive: true });
  const answer = await fetched('/sitemap.xml', {});
  const text = await answer.text();
  expect(answer.headers.get('content-type')).toContain('application/xml');
  expect(text).toContain('/c/mapped</loc>');
  expect(text).toContain(`/c/mapped/p/${post}/`);
  for (const other of [hidden.post, sensitive, '/c/unmapped']) expect(text).not.toContain(other);
  expect(await (await fetched('/robots.txt', {})).text()).toContain('/sitemap.xml');
});

test('[SY1][SY4][SY5] nothing shows what a spoiler covers where its text is cut', async () => {
  const { channel } = await garden('covered');
  // The texts are cut after 1,000 and after 5,000 characters.
  const words = (characters: number) => 'tulip '.repeat(characters / 6);
  const covered = `||${words(60)}the butler did it||`;
  // The description is short, so what it is made of has to be a long address.
  const link = `[tulip tulip](https://example.org/${'x'.repeat(940)}) `;
  const content = `${link}${covered}${words(3_600)}${covered} and so on`;
  const post = await posted(channel, { title: 'Covered', content });
  const said = { content: `${words(990)}${covered}` };
  await ada.ok(createdSchema, 'POST', `/posts/${post}/comments`, said);
  const page = await (await fetched(`/c/covered/p/${post}/covered`)).text();
  expect(page).toContain('"@type":"Comment"');
  expect(page).toContain('and so on');
  const feed = await (await fetched('/c/covered.atom', {})).text();
  const list = JSON.stringify(await ada.ok(z.unknown(), 'GET', `/channels/${channel}/posts`));
  for (const text of [page, feed, list]) {
    expect(text).toContain('tulip tulip');
    expect(text).not.toContain('||');
    expect(text).not.toContain('butler');
  }
});

test('[SY4] what the page of a post says of it is text without marks', async () => {
  const { channel } = await garden('described');
  const content = '# Tulips\n\n- They are **red**.\n\nIt was ||the mole||.';
  const post = await posted(channel, { title: 'Marks', content });
  const page = await (await fetched(`/c/described/p/${post}/marks`)).text();
  const text = 'Tulips • They are red. It was ▇▇▇.';
  expect(page).toContain(`<meta name="description" content="${text}" />`);
  expect(page).toContain(`<meta property="og:description" content="${text}" />`);
  expect(page).toContain(`"text":"Tulips\\n• They are red.\\nIt was ▇▇▇."`);
});

test('[SY4][SY5] the page of a post is there for programs and for readers without scripts', async () => {
  const { id, channel } = await garden('plain', { name: 'Plain "garden"' });
  const content = 'They are **red**.\n\n<script>alert(1)</script> [x](javascript:alert(1))';
  const post = await posted(channel, { title: 'Red </title> tulips', content });
  const path = `/posts/${post}/comments`;
  const comment = await ada.ok(createdSchema, 'POST', path, { content: 'Are they?' });
  await ada.ok(createdSchema, 'POST', path, { content: 'They *are*.', parent_id: comment.id });
  const page = await (await fetched(`/c/plain/p/${post}/anything`)).text();
  const url = `/c/plain/p/${post}/red-title-tulips`;
  expect(page).toMatch(/<title>Red &#60;\/title&#62; tulips · Plain &#34;garden&#34; · Lantern/);
  expect(page).toMatch(new RegExp(`<link rel="canonical" href="http[^"]*${url}" />`));
  expect(page).toContain('<meta name="description" content="They are');
  expect(page).toContain('<meta property="og:type" content="article" />');
  expect(page).toMatch(/<link rel="alternate" type="application\/rss\+xml"[^>]*\/c\/plain\.rss"/);
  expect(page).toContain('<p>They are <strong>red</strong>.</p>');
  expect(page).toMatch(/Are they\?<\/p>.*<ul><li>.*They <em>are<\/em>\./);
  expect(page).not.toContain('<script>alert');
  expect(page).not.toContain('href="javascript');
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page)?.[1] ?? '';
  expect(JSON.parse(json)).toMatchObject({
    '@type': 'DiscussionForumPosting',
    headline: 'Red </title> tulips',
    author: { '@type': 'Person', name: 'ada' },
    comment: [{ text: 'Are they?' }, { text: 'They are.' }],
  });
  const other = await garden('other');
  expect(other.id).not.toBe(id);
  expect(await (await fetched(`/c/other/p/${post}/x`)).text()).not.toContain('tulips');
});

test('[SY7] no name ends like the address of a feed', async () => {
  for (const slug of ['news.rss', 'news.atom']) {
    const answer = await ada.refusal('POST', '/communities', { name: 'News', slug });
    expect(answer).toEqual([422, 'slug']);
  }
});

test('[SY5] a page shows the beginning of many long comments', async () => {
  const { post } = await garden('lengthy');
  const content = `begins ${'> *a* '.repeat(1_600)}`;
  for (let count = 0; count < 40; count += 1) {
    await ada.ok(createdSchema, 'POST', `/posts/${post}/comments`, { content });
  }
  const page = await (await fetched(`/c/lengthy/p/${post}/x`)).text();
  expect(page.match(/begins/g)?.length).toBeGreaterThan(20);
  expect(page.length).toBeLessThan(400_000);
  expect(page.match(/<(ul|li)>/g)).toHaveLength(page.match(/<\/(ul|li)>/g)?.length ?? 0);
});

test('[SC8] a process with the web client and no database serves its page, and logs what it leaves out', async () => {
  const lines: string[] = [];
  await using alone = await startTestInstance({
    web: folder.path,
    env: { COMPONENTS: 'web' },
    log: jsonLogger('warn', (line) => lines.push(line)),
  });
  const at = (path: string) => fetch(webAddressOf(alone) + path);
  expect((await at('/c/tulips')).status).toBe(200);
  for (const path of ['/c/tulips.rss', '/sitemap.xml', '/robots.txt']) {
    const { status, headers } = await at(path);
    expect([path, status, headers.get('content-type')]).not.toEqual([
      path,
      200,
      expect.stringContaining('xml'),
    ]);
  }
  expect(lines.join()).toContain(
    'without DATABASE_URL and REDIS_URL, the web client comes without feeds',
  );
});
