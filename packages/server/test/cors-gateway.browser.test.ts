import { afterAll, beforeAll, expect } from 'bun:test';
import { z } from 'zod';
import { browserDescribe, browserTest } from '@hearth/testing/browser/chromium';
import { ELSEWHERE, ForeignSite } from '@hearth/testing/browser/foreign-site';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import type { Visit } from '@hearth/testing/browser/visit';
import { eventOf, postMessage } from '@hearth/testing/clients/post-message';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';

const PAYLOADS_ALLOWED = 3;
const TOML = GENEROUS_LIMITS.replace(
  /^rate_limit = .*$/m,
  `rate_limit = { reset_after = 1, limit = ${PAYLOADS_ALLOWED} }`,
);

const reportSchema = z.object({
  payloads: z.array(z.string()),
  closed: z.object({ code: z.number(), reason: z.string() }).optional(),
});

const browser = useBrowser();
let instance: TestInstance;
let limited: TestInstance;
let site: ForeignSite;

beforeAll(async () => {
  [instance, limited, site] = await Promise.all([
    startTestInstance(),
    startTestInstance({ toml: TOML }),
    ForeignSite.start(),
  ]);
});

afterAll(async () => {
  await Promise.all([instance, limited, site].map((each) => each[Symbol.asyncDispose]()));
});

browserDescribe.each(ELSEWHERE)('[HT3][GW6] a page from %s', (kind) => {
  let visit: Visit;

  beforeAll(async () => {
    visit = await browser.emptyVisit('file');
    await visit.page.goto(site.emptyPage(kind));
  });

  /** Opens a WebSocket in the page. The page writes what it receives to its title. */
  const open = (url: string) =>
    visit.page.evaluate(
      (address) =>
        new Promise<void>((resolve, reject) => {
          const report: { payloads: string[]; closed?: { code: number; reason: string } } = {
            payloads: [],
          };
          const socket = new WebSocket(address);
          // A socket that was opened before must not change the title any more.
          const publish = () => {
            if (Reflect.get(globalThis, 'socket') === socket)
              document.title = JSON.stringify(report);
          };
          Reflect.set(globalThis, 'socket', socket);
          socket.addEventListener('open', () => resolve());
          socket.addEventListener('error', () => reject(new Error('it did not connect')));
          socket.addEventListener('message', ({ data }) => {
            report.payloads.push(String(data));
            publish();
          });
          socket.addEventListener('close', ({ code, reason }) => {
            report.closed = { code, reason };
            publish();
          });
          publish();
        }),
      url,
    );

  const send = (...payloads: string[]) =>
    visit.page.evaluate((texts) => {
      const socket: unknown = Reflect.get(globalThis, 'socket');
      if (socket instanceof WebSocket) for (const text of texts) socket.send(text);
    }, payloads);

  /** Returns what the page received, once it has that many payloads or was closed. */
  async function received(payloads: number) {
    await visit.page.waitForFunction((count) => {
      const report = JSON.parse(document.title);
      return report.payloads.length >= count || report.closed !== undefined;
    }, payloads);
    return reportSchema.parse(JSON.parse(await visit.page.title()));
  }

  browserTest(
    'receives the messages of the documented gateway, and the answer to its PING',
    async () => {
      await open(instance.addresses.gateway);
      await postMessage(instance, 'good evening');
      expect(await received(1)).toEqual({ payloads: [eventOf('good evening')] });
      await send('{"op":"PING"}');
      expect((await received(2)).payloads[1]).toBe('{"op":"PONG"}');
    },
  );

  browserTest('receives the messages of profile 1', async () => {
    await open(`${instance.addresses.gateway}?v=1`);
    await postMessage(instance, 'good evening');
    const { payloads } = await received(2);
    const [hello, event] = payloads.map((payload) => JSON.parse(payload));
    expect(hello).toMatchObject({ op: 'HELLO', d: { v: 1 } });
    expect(event).toMatchObject({
      op: 'MESSAGE_CREATE',
      s: hello.d.s + 1,
      d: { author: 'someone', content: 'good evening' },
    });
  });

  browserTest('reads why its socket was closed', async () => {
    await open(limited.addresses.gateway);
    await send(...Array.from({ length: PAYLOADS_ALLOWED + 1 }, () => '{"op":"PING"}'));
    const { closed } = await received(Infinity);
    expect(closed).toEqual({ code: 1011, reason: 'Client hit rate limit' });
  });
});
