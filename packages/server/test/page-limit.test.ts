import { BEHIND_PROXY, LimitedClient, limitHeaders } from '@hearth/testing/clients/limited-client';
import { readError } from '@hearth/testing/clients/read-error';
import { RestPerson } from '@hearth/testing/clients/rest-person';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  webAddressOf,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { SCRIPT, webFolder } from '@hearth/testing/instances/web-folder';
import type { TempFolder } from '@hearth/testing/temp-folder';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';

const LIMIT = 4;

let folder: TempFolder;
let instance: TestInstance;
let url: string;

beforeAll(async () => {
  folder = await webFolder();
  const limits = GENEROUS_LIMITS.replace(
    /page = .*/,
    `page = { reset_after = 600, limit = ${LIMIT} }`,
  );
  const toml = `registration = "open"\n${limits}`;
  instance = await startTestInstance({ toml, env: BEHIND_PROXY, web: folder.path });
  url = webAddressOf(instance);
  const ada = await RestPerson.register(instance, 'ada');
  await ada.garden('tulips', { kind: 'posts', visibility: 'public' });
});

afterAll(async () => {
  await instance[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** A client that has made all requests for pages that it may make. */
async function spent(): Promise<LimitedClient> {
  const client = new LimitedClient();
  for (let count = 0; count < LIMIT; count += 1) await client.get(`${url}/u/ada`);
  return client;
}

describe('[SY10] requests for feeds, documents and pages of places', () => {
  test('requests count together for each client, whatever is answered', async () => {
    const client = new LimitedClient();
    const first = await client.get(`${url}/c/tulips.rss`);
    const known = { ...client.headers, 'If-None-Match': first.headers.get('etag') ?? '' };
    const answers = [
      first,
      await fetch(`${url}/c/tulips.rss`, { headers: known }),
      await client.request('HEAD', `${url}/c/tulips`),
      await client.get(`${url}/u/nobody.atom`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 304, 200, 404]);
    const counts = answers.map((answer) => limitHeaders(answer).requestCount);
    expect(counts).toEqual([1, 2, 3, 4]);
    for (const path of ['/c/tulips.rss', '/c/tulips', '/sitemap.xml', '/robots.txt', '/u/nobody']) {
      const refused = await client.get(url + path);
      expect(limitHeaders(refused)).toMatchObject({ max: LIMIT, requestCount: LIMIT });
      const seconds = Number(refused.headers.get('retry-after'));
      const { status, data } = await readError(refused);
      expect([status, seconds]).toEqual([429, Math.ceil(Number(data?.['retry_after']) / 1_000)]);
    }
    const other = await new LimitedClient().get(`${url}/c/tulips.rss`);
    expect([other.status, limitHeaders(other).requestCount]).toEqual([200, 1]);
  });

  test('requests are answered with the page alone if somebody opens it in a browser', async () => {
    const client = await spent();
    const headers = { ...client.headers, Accept: 'text/html', 'Sec-Fetch-Mode': 'navigate' };
    const page = await fetch(`${url}/c/tulips`, { headers });
    const text = await page.text();
    expect([page.status, limitHeaders(page).requestCount]).toEqual([200, LIMIT]);
    expect(text).toContain(SCRIPT);
    expect(text).not.toContain('Garden');
    const feed = await fetch(`${url}/c/tulips.rss`, { headers });
    expect(feed.status).toBe(429);
  });

  test('requests count for the address also with a token', async () => {
    const client = await spent();
    const headers = { ...client.headers, Authorization: 'Bearer any' };
    expect((await fetch(`${url}/c/tulips.rss`, { headers })).status).toBe(429);
  });
});

test('[WC14] no other request to the web client counts', async () => {
  const client = await spent();
  for (const path of ['/', '/lobby', '/communities', '/c/tulips/settings', `/${SCRIPT}`]) {
    const answer = await client.get(url + path);
    expect([path, answer.status, limitHeaders(answer)]).toEqual([path, 200, {}]);
  }
  const info = { ...client.headers, Accept: 'application/json' };
  expect((await fetch(`${url}/c/tulips`, { headers: info })).status).toBe(200);
});
