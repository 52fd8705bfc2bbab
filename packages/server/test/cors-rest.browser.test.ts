import { RATE_LIMIT_HEADERS } from '@hearth/protocol';
import { afterAll, beforeAll, expect } from 'bun:test';
import { browserDescribe, browserTest } from '@hearth/testing/browser/chromium';
import { ELSEWHERE, ForeignSite } from '@hearth/testing/browser/foreign-site';
import { countPreflights } from '@hearth/testing/browser/preflights';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import type { Visit } from '@hearth/testing/browser/visit';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';

const TOML = `
instance_name = "Elsewhere"
[oprish.rate_limits]
info = { reset_after = 600, limit = 1000 }
message_create = { reset_after = 600, limit = 1000 }
rate_limits = { reset_after = 600, limit = 2 }
`;
const MESSAGE = JSON.stringify({ author: 'ada', content: 'é語😀' });

/** The names of a request's rate-limit headers that concern bytes. */
const OF_BYTES: readonly string[] = [RATE_LIMIT_HEADERS.byteMax, RATE_LIMIT_HEADERS.sentBytes];
const OF_REQUESTS = Object.values(RATE_LIMIT_HEADERS).filter((name) => !OF_BYTES.includes(name));

interface Request {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const browser = useBrowser();
let instance: TestInstance;
let site: ForeignSite;

beforeAll(async () => {
  [instance, site] = await Promise.all([startTestInstance({ toml: TOML }), ForeignSite.start()]);
});

afterAll(async () => {
  await instance[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

browserDescribe.each(ELSEWHERE)('[HT3] a page from %s', (kind) => {
  let visit: Visit;
  let rest: string;

  beforeAll(async () => {
    rest = instance.addresses.rest;
    visit = await browser.emptyVisit('file');
    await visit.page.goto(site.emptyPage(kind));
  });

  /** Sends a request from within the page, and returns what the page may read of the answer. */
  const ask = (request: Request) =>
    visit.page.evaluate(
      async ({ url, names, ...init }) => {
        const answer = await fetch(url, init);
        const text = await answer.text();
        return {
          status: answer.status,
          body: text === '' ? undefined : JSON.parse(text),
          headers: names.filter((name) => answer.headers.has(name)),
          allow: answer.headers.get('Allow'),
          retryAfter: Number(answer.headers.get('Retry-After')),
        };
      },
      { ...request, names: OF_REQUESTS },
    );

  browserTest('reads the InstanceInfo, with the headers of its limit', async () => {
    const { status, body, headers } = await ask({ url: rest });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      instance_name: 'Elsewhere',
      effis_url: instance.addresses.files,
    });
    expect(headers).toEqual(OF_REQUESTS);
  });

  browserTest('posts JSON after one preflight, and reads the reply', async () => {
    const answers: unknown[] = [];
    const preflights = await countPreflights(visit.page, async () => {
      answers.push(
        await ask({
          url: `${rest}/messages`,
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-Whatever': 'it sends' },
          body: MESSAGE,
        }),
      );
    });
    expect(preflights).toBe(1);
    expect(answers).toEqual([
      expect.objectContaining({ status: 200, body: JSON.parse(MESSAGE), headers: OF_REQUESTS }),
    ]);
  });

  browserTest('reads the history', async () => {
    await ask({ url: `${rest}/messages`, method: 'POST', body: MESSAGE });
    const { status, body } = await ask({ url: `${rest}/messages?limit=1` });
    expect([status, body]).toEqual([200, [expect.objectContaining({ content: 'é語😀' })]]);
  });

  browserTest('sees the headers of an answer without a body', async () => {
    const { status, headers } = await ask({ url: rest, method: 'HEAD' });
    expect([status, headers]).toEqual([200, OF_REQUESTS]);
  });

  browserTest(
    'reads every error: 404, 405, 422 and 429, the last with the headers of its limit',
    async () => {
      visit.expectFaults(/the server responded with a status of 4(04|05|22|29) /);
      const unknown = await ask({ url: `${rest}/nowhere` });
      expect(unknown).toMatchObject({ status: 404, body: { status: 404 } });
      const impossible = await ask({ url: `${rest}/rate_limits`, method: 'POST' });
      expect(impossible).toMatchObject({
        status: 405,
        body: { status: 405 },
        allow: 'GET, HEAD, OPTIONS',
      });
      const wrong = await ask({
        url: `${rest}/messages`,
        method: 'POST',
        body: '{"author":"ada"}',
      });
      expect(wrong.body).toMatchObject({ status: 422, data: { field_name: 'content' } });
      await ask({ url: `${rest}/rate_limits` });
      await ask({ url: `${rest}/rate_limits` });
      const limited = await ask({ url: `${rest}/rate_limits` });
      expect(limited).toMatchObject({ status: 429, headers: OF_REQUESTS });
      expect(limited.body.data.retry_after).toBeGreaterThan(0);
      expect(limited.retryAfter).toBe(Math.ceil(limited.body.data.retry_after / 1000));
    },
  );
});
