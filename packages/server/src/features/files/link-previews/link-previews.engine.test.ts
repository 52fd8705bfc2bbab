import { ATTACHMENTS_BUCKET, type Embed, type Id } from '@hearth/protocol';
import { photograph } from '@hearth/testing/clients/photograph';
import { fakeClock, type FakeClock } from '@hearth/testing/fake-clock';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { countedIds } from '@hearth/testing/ports/id-source';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { until } from '@hearth/testing/until';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { OWNER } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { openOutbound } from '../../../lib/outbound/outbound.ts';
import { jsonLogger } from '../../../log/logger.ts';
import type { Database } from '../../../ports/database/database.ts';
import { ownerOutbox } from '../../../ports/outbox/outbox.ts';
import { JobRunner } from '../../platform/jobs/job-runner.ts';
import { listJobs } from '../../platform/jobs/manage-jobs.ts';
import { listUploads } from '../uploads/list-uploads.ts';
import { findPreviews } from './find-previews.ts';
import { makePreview } from './make-preview.ts';
import { dropPreviews, requestPreviews } from './request-previews.ts';
import { sweepPreviews } from './sweep-previews.ts';

const DAY_MS = 86_400_000;
const CHANNEL = '7' as Id;
const PAGE =
  '<title>Hello</title><meta property="og:image" content="/p.jpg"><meta name=description content="There">';

onEachDatabase((open) => {
  let resources: AsyncDisposableStack;
  let contexts: readonly InstanceContext[];
  let ctx: InstanceContext;
  let clock: FakeClock;
  let asked: string[];
  let announced: string[];
  /** Entries of the log above `info`. */
  let faults: string[];
  let failures: number;
  let answer: (request: Request) => Response | Promise<Response>;
  let at: (path: string) => string;

  /** Two contexts of one instance, like those of two processes, and a server of pages. */
  beforeEach(async () => {
    resources = new AsyncDisposableStack();
    [asked, announced, faults, failures, clock] = [[], [], [], 0, fakeClock()];
    answer = () => html(PAGE);
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        asked.push(new URL(request.url).pathname);
        return answer(request);
      },
    });
    resources.defer(() => server.stop(true));
    at = (path) => `http://good.test:${server.port}${path}`;
    const owner = resources.use(await openTestContext());
    const ids = countedIds();
    const on = (database: Database) => ({
      ...owner,
      ids,
      clock,
      database: ownerOutbox(database),
    });
    const database = resources.use(await open());
    ctx = on(database);
    contexts = [ctx, on(resources.use(await database.openAgain()))];
  });
  afterEach(() => resources.disposeAsync());

  const html = (text: string | Uint8Array<ArrayBuffer>, type = 'text/html') =>
    new Response(text, { headers: { 'Content-Type': type } });

  /** Posts an address. */
  const post = (id: string, url: string, of = ctx) =>
    of.database.transaction((tx) =>
      requestPreviews(of, tx, [{ kind: 'post', id: id as Id, channelId: CHANNEL, url }]),
    );

  /** Does all jobs, in as many processes as there are contexts. */
  async function work(on: readonly InstanceContext[] = [ctx]): Promise<void> {
    const outbound = openOutbound({
      resolve: async (name) => [name === 'inside.test' ? '192.168.1.7' : '127.0.0.1'],
      mayReach: (address) => address === '127.0.0.1',
    });
    const announcers = {
      post: async (_: unknown, some: readonly Id[]) => {
        if (failures > 0) throw new Error(`announcing fails ${(failures -= 1)} times more`);
        announced.push(...some);
      },
    };
    await using runners = new AsyncDisposableStack();
    for (const each of on) {
      const kinds = [makePreview(each, { outbound, announcers })];
      const log = jsonLogger('warn', (line) => faults.push(line));
      runners.use(new JobRunner({ ...each, kinds, log }));
    }
    await until(async () => {
      const jobs = await listJobs(ctx, OWNER, { isFailed: false });
      // Not while one is being taken or done, so that no lease ends.
      if (!jobs.some((job) => job.dueAtMs <= clock.unixMs())) clock.advance(5_000);
      return jobs.length === 0;
    });
  }

  async function embedOf(id: string): Promise<Embed | undefined> {
    return (await findPreviews(ctx, 'post', [id as Id])).get(id as Id)?.[0];
  }

  async function previewOf(url: string): Promise<Embed | undefined> {
    await post('1', url);
    await work();
    return embedOf('1');
  }

  test('[LP1, LP4, LP8] a page has a preview with a picture of the instance, and its readers get it', async () => {
    const picture = await photograph({ width: 64, height: 48 });
    answer = ({ url }) => (url.endsWith('.jpg') ? html(picture, 'image/jpeg') : html(PAGE));
    expect(await previewOf(at('/page#part'))).toMatchObject({
      url: at('/page'),
      title: 'Hello',
      description: 'There',
      picture: {
        key: expect.stringMatching(/^[\da-f]{32}$/),
        metadata: { type: 'image', width: 64, height: 48 },
        size: picture.length,
      },
    });
    expect(announced).toEqual(['1']);
    await post('2', at('/page#other'));
    expect((await embedOf('2'))?.title).toBe('Hello');
    await work();
    expect([asked, announced]).toEqual([
      ['/page', '/p.jpg'],
      ['1', '2'],
    ]);
  });

  test('[LP1] an address that several processes post at once is requested once', async () => {
    const ids = Array.from({ length: 20 }, (_, at) => String(at + 1));
    await Promise.all(ids.map((id, n) => post(id, at('/page'), contexts[n % 2])));
    await work(contexts);
    expect(asked.filter((path) => path === '/page')).toHaveLength(1);
    expect(announced.toSorted()).toEqual(ids.toSorted());
    expect((await findPreviews(ctx, 'post', ids as Id[])).size).toBe(20);
  });

  test('[LP8] readers get a preview that was made before the process could say so', async () => {
    failures = 2;
    answer = () => html('<title>Hello</title>');
    await previewOf(at('/page'));
    expect([asked, announced]).toEqual([['/page'], ['1']]);
  });

  test('[LP2] a request names the program, has no cookies, and reaches no private address', async () => {
    const headers: Headers[] = [];
    answer = (request) => {
      headers.push(request.headers);
      const { pathname, port } = new URL(request.url);
      if (pathname === '/inside') return Response.redirect(`http://inside.test:${port}/`);
      const away = new Response(null, {
        status: 302,
        headers: { Location: `http://other.test:${port}/here` },
      });
      away.headers.set('Set-Cookie', 'a=b');
      if (pathname === '/away') return away;
      return html(
        '<title>Hello</title><meta property="og:image" content="http://inside.test/p.png">',
      );
    };
    expect(await previewOf(at('/away'))).toEqual({ url: at('/away'), title: 'Hello' });
    const sent = headers.map((each) => [each.get('user-agent'), each.get('cookie')]);
    expect(sent).toHaveLength(2);
    for (const each of sent)
      expect(each).toEqual([expect.stringMatching(/^Hearth\/.*link previews/), null]);
    await post('2', at('/inside'));
    await work();
    expect(await embedOf('2')).toBeUndefined();
    for (const url of ['http://a:b@good.test/', 'ftp://good.test/', 'nothing'])
      await post('3', url);
    await work();
    expect(asked).toEqual(['/away', '/here', '/inside']);
  });

  test('[LP2] an endless page is read as far as 512 KB, and an endless film not at all', async () => {
    let sent = 0;
    answer = ({ url }) => {
      const endless = new ReadableStream({
        pull(to) {
          sent += 65_536;
          to.enqueue(Buffer.from((sent === 65_536 ? PAGE : '').padEnd(65_536, '<b>')));
        },
      });
      return new Response(endless, {
        headers: { 'Content-Type': url.endsWith('film') ? 'video/mp4' : 'text/html' },
      });
    };
    expect((await previewOf(at('/page')))?.title).toBe('Hello');
    await post('2', at('/film'));
    await work();
    expect(await embedOf('2')).toBeUndefined();
  });

  test('[LP4] the picture of a page is the first of those that it names that can be shown', async () => {
    const picture = await photograph({ width: 64, height: 48 });
    const answers: Record<string, () => Response> = {
      '/page': () =>
        html(
          ['/missing', '/down', '/drawing.svg', '/broken.jpg', '/good.jpg', '/late.jpg']
            .map((path) => `<meta property="og:image" content="${path}">`)
            .join(''),
        ),
      '/down': () => new Response('', { status: 503 }),
      '/drawing.svg': () => html('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'),
      '/broken.jpg': () => html(Buffer.from('<script>'), 'image/jpeg'),
      '/good.jpg': () => html(picture, 'image/jpeg'),
    };
    answer = ({ url }) => answers[new URL(url).pathname]?.() ?? new Response('', { status: 404 });
    expect(await previewOf(at('/page'))).toMatchObject({ picture: { size: picture.length } });
    expect(asked).toEqual([
      '/page',
      '/missing',
      '/down',
      '/drawing.svg',
      '/broken.jpg',
      '/good.jpg',
    ]);
    expect(await listUploads(ctx, OWNER)).toHaveLength(1);
  });

  test('[LP4] the preview of a picture is that picture, and what is no picture has none', async () => {
    const picture = await photograph({ width: 32, height: 32 });
    answer = ({ url }) =>
      html(url.endsWith('good') ? picture : Buffer.from('<script>'), 'image/jpeg');
    expect(await previewOf(at('/good'))).toMatchObject({
      url: at('/good'),
      picture: { size: picture.length },
    });
    await post('2', at('/bad'));
    await work();
    expect(await embedOf('2')).toBeUndefined();
    expect(announced).toEqual(['1']);
  });

  test('[LP5][OP75] a failure that may pass is tried again, three times at most, and then there is no preview and no fault in the log', async () => {
    answer = () =>
      asked.length < 2 ? new Response('', { status: 503 }) : html('<title>Hello</title>');
    expect((await previewOf(at('/busy')))?.title).toBe('Hello');
    expect(asked).toEqual(['/busy', '/busy']);
    answer = ({ url }) => new Response('', { status: url.endsWith('down') ? 500 : 404 });
    await post('2', at('/down'));
    await post('3', at('/missing'));
    await post('4', 'http://good.test:1/');
    await work();
    expect(asked.slice(2).toSorted()).toEqual(['/down', '/down', '/down', '/missing']);
    expect([await embedOf('2'), await embedOf('3')]).toEqual([undefined, undefined]);
    expect(await listJobs(ctx, OWNER, { isFailed: true })).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('[JB7][LP5] servers that answer 101 and say no more hinder no other preview', async () => {
    const text = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';
    const socket = { data: (to: Bun.Socket) => void to.write(text) };
    using switching = Bun.listen({ hostname: '127.0.0.1', port: 0, socket });
    for (const id of ['2', '3', '4', '5']) {
      await post(id, `http://good.test:${switching.port}/${id}`);
    }
    expect((await previewOf(at('/page')))?.title).toBe('Hello');
    expect(await embedOf('2')).toBeUndefined();
    expect(await listJobs(ctx, OWNER, { isFailed: false })).toEqual([]);
  });

  test('[LP5, LP6] a preview is made again a day later if its address is posted again, and kept if that fails', async () => {
    answer = () => html(`<title>Title ${asked.length}</title>`);
    expect((await previewOf(at('/page')))?.title).toBe('Title 1');
    clock.setUnixMs(clock.unixMs() + DAY_MS);
    await post('2', at('/page'));
    await work();
    expect((await embedOf('1'))?.title).toBe('Title 2');
    clock.setUnixMs(clock.unixMs() + DAY_MS);
    answer = () => new Response('', { status: 410 });
    await post('3', at('/page'));
    await work();
    expect((await embedOf('3'))?.title).toBe('Title 2');
    expect([asked.length, announced]).toEqual([3, ['1', '2', '3']]);
  });

  test('[LP6] a preview that nothing has shown for a week is removed with its picture', async () => {
    const picture = await photograph({ width: 32, height: 32 });
    answer = () => html(picture, 'image/jpeg');
    await previewOf(at('/used'));
    await post('2', at('/unused'));
    await work();
    await ctx.database.transaction((tx) => dropPreviews(tx, 'post', ['2' as Id]));
    const sweep = () =>
      sweepPreviews(ctx).run(undefined, {
        id: '',
        number: 1,
        signal: new AbortController().signal,
      });
    const pictures = async () =>
      (await listUploads(ctx, OWNER)).filter(({ bucket }) => bucket === ATTACHMENTS_BUCKET).length;
    await sweep();
    expect(await pictures()).toBe(2);
    clock.setUnixMs(clock.unixMs() + 8 * DAY_MS);
    await sweep();
    expect(await pictures()).toBe(1);
    expect((await embedOf('1'))?.picture).toBeDefined();
  });

  test('[LP7] an owner can switch previews off', async () => {
    expect((await previewOf(at('/page')))?.title).toBe('Hello');
    const rest = { ...ctx.settings.rest, hasLinkPreviews: false };
    const off = { ...ctx, settings: { ...ctx.settings, rest } };
    await post('2', at('/other'), off);
    await work([off]);
    expect((await findPreviews(off, 'post', ['1' as Id])).size).toBe(0);
    expect(asked).not.toContain('/other');
  });
});
