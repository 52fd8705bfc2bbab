import { NotFoundError, RATE_LIMIT_HEADERS } from '@hearth/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { countingProcess } from '@hearth/testing/ports/count-in-transactions';
import { fakeClock, type FakeClock } from '@hearth/testing/fake-clock';
import { limitHeaders } from '@hearth/testing/clients/limited-client';
import { readError } from '@hearth/testing/clients/read-error';
import { contentOf } from '@hearth/testing/instances/static-files';
import { contentPath } from '@hearth/testing/ports/stored-content';
import { newDataFolder } from '@hearth/testing/instances/new-data-folder';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { randomBytes } from '@hearth/testing/clients/upload-form';
import { ANYONE, OWNER, type Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { addStatic, removeStatic } from '../features/files/statics/add-static.ts';
import { findStatic } from '../features/files/statics/list-statics.ts';
import type { OwnerContext } from '../instance.ts';
import { jsonLogger, LEVELS } from '../log/logger.ts';
import { FailureLog } from '../log/failure-log.ts';
import { RefusalLog } from '../log/refusal-log.ts';
import type { BlobKey } from '../ports/blobs/blobs.ts';
import { policiesBy, type Limiter, type LimitPolicy } from '../ports/limiter/limiter.ts';
import { memoryLimiter } from '../ports/limiter/memory.ts';
import { openSqlite } from '../runtime/sqlite.ts';
import type { Handle } from '../runtime/peer.ts';
import { httpServiceOf } from './http-service.ts';
import { httpHandlers } from './handlers.ts';
import { limitedRoute } from './limited-route.ts';
import type { HttpBucket } from './limited.ts';
import { StoredContents, type StoredContent } from './stored-contents.ts';

const KIB = 1024;
/** The largest file that is answered from memory, and how much all of them together may take. */
const HOT_FILE_BYTES = 256 * KIB;
const HOT_BYTES = 32 * KIB * KIB;

const PEER = {
  address: '192.0.2.1',
  isCrowded: false,
  allowSilence() {},
  beginTransfer: () => true,
};

let folder: string;
let base: OwnerContext;
let ctx: Context;
let clock: FakeClock;
let logged: Record<string, unknown>[];

beforeEach(async () => {
  folder = await newDataFolder();
  base = await openTestContext({ folder });
  clock = fakeClock();
  logged = [];
  const lines = logged;
  const log = jsonLogger('debug', (line) => lines.push(JSON.parse(line)));
  ctx = {
    ...base,
    clock,
    log,
    limiter: limiterOf(1_000_000),
    refusals: new RefusalLog(log, clock),
    failures: new FailureLog(log, clock),
  };
});

afterEach(async () => {
  await base[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function limiterOf(limit: number): Limiter {
  const policy: LimitPolicy = { resetAfterMs: 60_000, limit };
  return memoryLimiter(
    policiesBy(() => policy),
    clock,
  );
}

type Find = (name: string) => Promise<StoredContent>;

/** A service whose every path has one name, the contents of which `find` finds. */
class ContentService {
  readonly contents: StoredContents;
  readonly #handle: Handle;
  /** The names that were looked for. */
  readonly found: string[] = [];
  /** The client that asks. */
  actor: Actor = ANYONE;
  /** Returns what the answers depend on besides the path, for a request. */
  variantOf: ((request: Request) => string) | undefined;

  constructor(context: Context, findContent: Find, bucket: HttpBucket = 'fetch_file') {
    this.contents = new StoredContents(context);
    const answer = limitedRoute(context, bucket, (counted) =>
      this.contents.serve(
        { ...counted, actor: this.actor },
        {
          bucket,
          variant: this.variantOf?.(counted.request),
          find: async () => {
            const name = counted.params['name'] ?? '';
            this.found.push(name);
            return await findContent(name);
          },
        },
      ),
    );
    const service = httpServiceOf(context, [{ method: 'GET', path: '/:name', answer }]);
    const find = (method: string, path: string) =>
      (method === 'GET' ? this.contents.answerTo(path) : undefined) ?? service.find(method, path);
    this.#handle = httpHandlers({ ...service, find }, () => 'client').handle;
  }

  /** Answers in the turn of the event loop in which it is asked. */
  async ask(name: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
    return this.#handle(new Request(`http://h/${name}`, { method, headers }), PEER);
  }

  /** Answers in the next turn. */
  async get(name: string, headers?: Record<string, string>, method?: string): Promise<Response> {
    await nextTurn();
    return this.ask(name, headers, method);
  }

  /** The text of the whole content; fails for any other answer. */
  async text(name: string): Promise<string> {
    const answer = await this.get(name);
    expect(answer.status).toBe(200);
    return answer.text();
  }

  /** Resolves with whether it is answered without being looked up. */
  async isKnown(name: string): Promise<boolean> {
    await nextTurn();
    return this.contents.answerTo(`/${name}`) !== undefined;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A content whose bytes are in their place, although no database has it. */
async function storedContent(bytes: Uint8Array | string): Promise<StoredContent> {
  const content = Buffer.from(bytes);
  const blobKey = crypto.randomUUID();
  const path = contentPath(ctx.blobs, blobKey);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return {
    blobKey,
    name: 'a name.bin',
    contentType: 'application/octet-stream',
    sizeBytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    disposition: 'inline',
    isImmutable: true,
  };
}

const removeBytes = ({ blobKey }: StoredContent) => rm(contentPath(ctx.blobs, blobKey));

/** A service to the static files in the database. */
const staticsService = () =>
  new ContentService(ctx, async (name) => ({
    ...(await findStatic(ctx, OWNER, name)),
    disposition: 'inline',
    isImmutable: false,
  }));

/** Status, headers and bytes of an answer, without the client's count. */
async function whole(answer: Response) {
  answer.headers.delete(RATE_LIMIT_HEADERS.requestCount);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, headers: [...answer.headers].toSorted(), bytes };
}

async function commitChange(context: Context, ...ids: readonly string[]): Promise<void> {
  await context.database.transaction(async (tx) => {
    for (const id of ids) tx.changed('content', id);
  });
}

describe('a content that is requested again', () => {
  test.each<[what: string, bytes: Buffer]>([
    ['a small one', randomBytes(1_000)],
    ['an empty one', Buffer.of()],
    ['the largest that is held in memory', randomBytes(HOT_FILE_BYTES)],
  ])('a content is answered from memory, the same as before: %s', async (_what, bytes) => {
    const content = await storedContent(bytes);
    const service = new ContentService(ctx, async () => content);
    const first = await whole(await service.get('a'));
    expect(first).toMatchObject({ status: 200, bytes });
    await removeBytes(content);
    expect(await service.isKnown('a')).toBe(true);
    for (let again = 0; again < 3; again += 1)
      expect(await whole(await service.get('a'))).toEqual(first);
    expect(service.found).toEqual(['a']);
  });

  test('a content is answered without waiting', async () => {
    const content = await storedContent('small');
    const service = new ContentService(ctx, async () => content);
    await service.get('a');
    const request = new Request('http://h/a');
    const caller = { client: 'client', basePath: '', peer: PEER };
    expect(service.contents.answerTo('/a')?.(request, caller)).toBeInstanceOf(Response);
  });

  test('a content is found with any number of slashes and any query in its address', async () => {
    const content = await storedContent('small');
    const service = new ContentService(ctx, async () => content);
    for (const path of ['a', '/a/', 'a?b=/c', '/a//?'])
      expect(await service.text(path)).toBe('small');
    expect(service.found).toEqual(['a']);
  });

  test('[HT4] a content is answered to HEAD as to GET, whichever comes first', async () => {
    const content = await storedContent('small');
    const service = new ContentService(ctx, async () => content);
    const answers: Awaited<ReturnType<typeof whole>>[] = [];
    for (const method of ['HEAD', 'GET', 'HEAD', 'GET']) {
      const answer = await service.get('a', { Range: 'nothing known' }, method);
      expect(answer.headers.has('date')).toBe(method === 'HEAD');
      answer.headers.delete('date');
      // What is whole although a range was asked for says so; HEAD knows no Range.
      answer.headers.delete('content-range');
      answers.push(await whole(answer));
    }
    const [first, ...others] = answers;
    expect(first?.status).toBe(200);
    for (const other of others) expect<unknown>(other).toEqual(first);
  });

  test('[LI5][LI9][LI12] a request counts each time, and is refused like any other beyond the limit', async () => {
    ctx = { ...ctx, limiter: limiterOf(3) };
    const content = await storedContent('small');
    const service = new ContentService(ctx, async () => content);
    const counts = [];
    for (let request = 1; request <= 3; request += 1) {
      const answer = await service.get('a');
      counts.push(limitHeaders(answer).requestCount);
      expect(limitHeaders(answer)).toMatchObject({ reset: 60_000, max: 3 });
    }
    expect(counts).toEqual([1, 2, 3]);
    const refused = await service.get('a');
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(refused.headers.has('etag')).toBe(false);
    expect(limitHeaders(refused)).toMatchObject({ requestCount: 3 });
    expect(await readError(refused)).toMatchObject({ status: 429 });
  });

  test.each<[size: string, bytes: Buffer]>([
    ['small', randomBytes(1_000)],
    ['large', randomBytes(HOT_FILE_BYTES + 1)],
  ])(
    '[FS24][FS25] a content is answered with the requested part, or with 304, if it is %s',
    async (_size, bytes) => {
      const size = bytes.length;
      const content = await storedContent(bytes);
      const etag = `"${content.sha256}"`;
      const service = new ContentService(ctx, async () => content);
      await (await service.get('a')).bytes();
      expect(await service.isKnown('a')).toBe(true);

      const part = await service.get('a', { Range: 'bytes=10-19' });
      expect([part.status, part.headers.get('content-range')]).toEqual([
        206,
        `bytes 10-19/${size}`,
      ]);
      expect(Buffer.from(await part.bytes()).equals(bytes.subarray(10, 20))).toBe(true);

      for (const headers of [
        { 'If-None-Match': etag },
        { 'If-None-Match': etag, Range: 'bytes=0-1' },
      ]) {
        const unchanged = await service.get('a', headers);
        expect([unchanged.status, unchanged.headers.get('etag')]).toEqual([304, etag]);
        expect((await unchanged.bytes()).byteLength).toBe(0);
      }
      const outside = await service.get('a', { Range: `bytes=${size}-` });
      expect(outside.headers.get('content-range')).toBe(`bytes */${size}`);
      expect((await readError(outside)).status).toBe(416);

      for (const headers of [
        { 'If-None-Match': '"another"' },
        { Range: 'bytes=0-1', 'If-Range': '"another"' },
        { 'If-Range': etag },
      ]) {
        const answer = await service.get('a', headers);
        expect([answer.status, answer.headers.get('etag')]).toEqual([200, etag]);
        expect(Buffer.from(await answer.bytes()).equals(bytes)).toBe(true);
      }
      expect(service.found).toEqual(['a']);
    },
  );

  test('a content is also remembered after a request for a part or a conditional request', async () => {
    const content = await storedContent('0123456789');
    const conditions = [
      { Range: 'bytes=2-3' },
      { 'If-None-Match': `"${content.sha256}"` },
      { Range: 'bytes=10-' },
    ];
    for (const [at, headers] of conditions.entries()) {
      const service = new ContentService(ctx, async () => content);
      expect((await service.get('a', headers)).status).toBe([206, 304, 416][at] ?? 0);
      expect(await service.text('a')).toBe('0123456789');
      expect(service.found).toEqual(['a']);
    }
  });

  test('a content is remembered only if a guest may see it, because remembered answers go to everybody', async () => {
    const content = await storedContent('small');
    const service = new ContentService(ctx, async () => content);
    for (const actor of [OWNER, ANYONE]) {
      service.actor = actor;
      expect([(await service.get('a')).status, await service.isKnown('a')]).toEqual([
        200,
        actor === ANYONE,
      ]);
    }
  });

  test('a content is identified by its path, because the same bytes may be served under several', async () => {
    const content = await storedContent('small');
    const service = new ContentService(ctx, async (name) => ({ ...content, name: `${name}.txt` }));
    for (let round = 0; round < 2; round += 1) {
      for (const name of ['a', 'b']) {
        const disposition = (await service.get(name)).headers.get('content-disposition');
        expect(disposition).toBe(`inline; filename=${name}.txt`);
      }
    }
    expect(service.found).toEqual(['a', 'b']);
  });

  test('[FS6] a content is looked up again if none was found', async () => {
    const content = await storedContent('small');
    let isThere = false;
    const service = new ContentService(ctx, async () => {
      if (!isThere) throw new NotFoundError();
      return content;
    });
    expect((await readError(await service.get('a'))).status).toBe(404);
    expect(await service.isKnown('a')).toBe(false);
    isThere = true;
    expect(await service.text('a')).toBe('small');
  });
});

describe('a content that depends on more than its path', () => {
  /** A service that keys its answers by a request's Accept. */
  function keyedService(find: Find) {
    const service = new ContentService(ctx, find);
    service.variantOf = ({ headers }) => headers.get('accept') ?? '';
    return service;
  }

  test('[FS30] a content is found once per key, and never by its path alone', async () => {
    const contents = [await storedContent('one'), await storedContent('two')];
    const service: ContentService = keyedService(
      async () => contents[service.found.length - 1] ?? (await storedContent('another')),
    );
    for (let round = 0; round < 3; round += 1) {
      expect(await (await service.get('a', { accept: 'x' })).text()).toBe('one');
      expect(await (await service.get('a', { accept: 'y' })).text()).toBe('two');
      expect(await service.isKnown('a')).toBe(false);
    }
    expect(service.found).toEqual(['a', 'a']);
    for (const content of contents) await removeBytes(content);
    expect(await (await service.get('a', { accept: 'y' })).text()).toBe('two');
  });

  test('[LI5] a request counts each time, once', async () => {
    const content = await storedContent('small');
    const service = keyedService(async () => content);
    const counts = [];
    for (let request = 0; request < 3; request += 1)
      counts.push(limitHeaders(await service.get('a')).requestCount);
    expect(counts).toEqual([1, 2, 3]);
  });

  test('[OP11] a content is looked up again after a change of the content, or of what it was made from', async () => {
    const source = crypto.randomUUID();
    const content = { ...(await storedContent('small')), sourceKey: source };
    const service = keyedService(async () => content);
    for (const changed of ['another', content.blobKey, source]) {
      for (let again = 0; again < 2; again += 1) expect(await service.text('a')).toBe('small');
      await commitChange(ctx, changed);
    }
    await service.text('a');
    expect(service.found).toHaveLength(3);
  });

  test('[FS33] a content is looked up each time while it may be replaced', async () => {
    const content = { ...(await storedContent('small')), isImmutable: false };
    const service = keyedService(async () => content);
    for (let again = 0; again < 3; again += 1) expect(await service.text('a')).toBe('small');
    expect(service.found).toHaveLength(3);
  });

  test.each([
    ['small', 10, { range: 'bytes=0-9' }],
    ['large', HOT_FILE_BYTES + 1, {}],
  ] as const)(
    '[FS33] a content is made again if its bytes are lost after it was served: a %s one',
    async (_size, sizeBytes, headers) => {
      const [lost, fresh] = [randomBytes(sizeBytes), randomBytes(sizeBytes)];
      const content = await storedContent(lost);
      const makeAgain = () => storedContent(fresh);
      const service = keyedService(async () => ({ ...content, makeAgain }));
      expect((await (await service.get('a')).bytes()).length).toBe(sizeBytes);
      await removeBytes(content);
      const again = await service.get('a', headers);
      expect([again.status, Buffer.from(await again.bytes())]).toEqual([
        'range' in headers ? 206 : 200,
        fresh,
      ]);
    },
  );
});

test('[LI5] a content that is requested again counts in the limit of its route', async () => {
  const policies = policiesBy((bucket) => ({
    resetAfterMs: 60_000,
    limit: bucket === 'fetch_media' ? 7 : 3,
  }));
  ctx = { ...ctx, limiter: memoryLimiter(policies, clock) };
  const content = await storedContent('small');
  const service = new ContentService(ctx, async () => content, 'fetch_media');
  for (const requestCount of [1, 2, 3])
    expect(limitHeaders(await service.get('a'))).toMatchObject({ requestCount, max: 7 });
  expect(service.found).toEqual(['a']);
});

describe('a large content that is requested again', () => {
  test('a content is not looked up again, but its file is', async () => {
    const bytes = randomBytes(HOT_FILE_BYTES + 1);
    const content = await storedContent(bytes);
    const service = new ContentService(ctx, async () => content);
    const [first, second] = [
      await whole(await service.get('a')),
      await whole(await service.get('a')),
    ];
    expect(second).toEqual(first);
    expect(first.bytes.equals(bytes)).toBe(true);
    expect(service.found).toEqual(['a']);
    await removeBytes(content);
    const gone = await service.get('a');
    expect(limitHeaders(gone)).toMatchObject({ requestCount: 3 });
    expect((await readError(gone)).status).toBe(404);
  });
});

describe('[OP16] a content whose bytes are lost', () => {
  /** Returns what was logged of each content, and how many refusals of which kind. */
  function written() {
    ctx.refusals[Symbol.dispose]();
    const entries = logged
      .filter((line) => 'blobKey' in line)
      .map(({ level, blobKey }) => [level, blobKey]);
    const counts = logged
      .filter((line) => 'count' in line)
      .map(({ refusal, count }) => [refusal, count]);
    return { entries, counts: Object.fromEntries(counts) };
  }

  test.each<[size: string, bytes: number]>([
    ['small', 1],
    ['large', HOT_FILE_BYTES + 1],
  ])(
    'a content is answered with 404 and counted, and the debug log names it, if it is %s',
    async (_size, bytes) => {
      const content = await storedContent(randomBytes(bytes));
      await removeBytes(content);
      const service = new ContentService(ctx, async () => content);
      expect((await readError(await service.get('a'))).status).toBe(404);
      expect(written()).toEqual({
        entries: [[LEVELS.debug, content.blobKey]],
        counts: { ContentGone: 1, NotFoundError: 1 },
      });
      expect(logged.filter(({ level }) => level === LEVELS.error)).toEqual([]);
    },
  );

  test.each<[size: string, bytes: number, headers: Record<string, string>]>([
    ['small', 10, { Range: 'bytes=0-1' }],
    ['large', HOT_FILE_BYTES + 1, {}],
    ['large', HOT_FILE_BYTES + 1, { 'If-None-Match': '*' }],
  ])(
    'after it was served is also answered with 404 and logged, if the bytes are needed: of a %s one (%d bytes, %j)',
    async (_size, bytes, headers) => {
      const content = await storedContent(randomBytes(bytes));
      const service = new ContentService(ctx, async () => content);
      await (await service.get('a')).bytes();
      await removeBytes(content);
      expect((await readError(await service.get('a', headers))).status).toBe(404);
      expect(written()).toMatchObject({
        entries: [[LEVELS.debug, content.blobKey]],
        counts: { ContentGone: 1 },
      });
    },
  );

  test.each<[size: string, bytes: number]>([
    ['small', 10],
    ['large', HOT_FILE_BYTES + 1],
  ])('in part is also answered with 404, if it is %s', async (_size, bytes) => {
    const content = await storedContent(randomBytes(bytes));
    await writeFile(contentPath(ctx.blobs, content.blobKey), 'short');
    const service = new ContentService(ctx, async () => content);
    expect((await readError(await service.get('a'))).status).toBe(404);
    expect(written().counts).toMatchObject({ ContentGone: 1 });
  });

  test('a content is served again when its bytes are back, for example from a backup', async () => {
    const content = await storedContent('small');
    const service = new ContentService(ctx, async () => content);
    await removeBytes(content);
    expect((await service.get('a')).status).toBe(404);
    await writeFile(contentPath(ctx.blobs, content.blobKey), 'small');
    expect(await service.text('a')).toBe('small');
  });

  test('[FS6] while it is being read is answered with a NotFoundError and is not a fault', async () => {
    for (let round = 0; round < 100; round += 1) {
      const content = await storedContent('small');
      const { promise: isFound, resolve: find } = Promise.withResolvers<StoredContent>();
      const service = new ContentService(ctx, () => isFound);
      const answered = service.get('a');
      find(content);
      // Promises take a few turns until the reading begins, which another thread does.
      for (let turn = 0; turn < round % 20; turn += 1) await Promise.resolve();
      rmSync(contentPath(ctx.blobs, content.blobKey));
      expect([200, 404]).toContain((await answered).status);
    }
    expect(logged.filter(({ level }) => level === LEVELS.error)).toEqual([]);
  });
});

describe('[FS26][OP11] the very next request sees what is committed', () => {
  const add = (context: Context, name: string, text: string) =>
    addStatic(context, OWNER, contentOf(name, text));

  test('if a static file is replaced or removed by this process', async () => {
    await add(ctx, 'a.txt', 'old');
    const service = staticsService();
    for (const text of ['old', 'new', 'newer', 'new']) {
      await add(ctx, 'a.txt', text);
      const [cold, hot] = [await service.get('a.txt'), await service.get('a.txt')];
      expect([await cold.text(), await hot.text()]).toEqual([text, text]);
      expect(hot.headers.get('etag')).toBe(cold.headers.get('etag'));
    }
    await removeStatic(ctx, OWNER, 'a.txt');
    expect((await service.get('a.txt')).status).toBe(404);
    await add(ctx, 'a.txt', 'back');
    expect(await service.text('a.txt')).toBe('back');
  });

  test('if it is replaced or removed over another connection', async () => {
    await using other = await openTestContext({ folder });
    await add(other, 'a.txt', 'old');
    const service = staticsService();
    for (let again = 0; again < 2; again += 1) expect(await service.text('a.txt')).toBe('old');
    await add(other, 'a.txt', 'new');
    for (let again = 0; again < 2; again += 1) expect(await service.text('a.txt')).toBe('new');
    await removeStatic(other, OWNER, 'a.txt');
    for (let again = 0; again < 2; again += 1)
      expect((await service.get('a.txt')).status).toBe(404);
  });

  test('if it is changed by another process, which changed others before', async () => {
    await using other = countingProcess('sqlite', join(folder, 'data', 'hearth.sqlite'));
    expect(await other.says()).toBe('ready');
    const content = await storedContent('small');
    const service = new ContentService(ctx, async () => content);
    for (let round = 1; round <= 3; round += 1) {
      for (let again = 0; again < 2; again += 1) expect(await service.text('a')).toBe('small');
      expect(service.found).toHaveLength(round);
      for (const id of ['another', content.blobKey]) {
        expect(await service.isKnown('a')).toBe(true);
        await other.send(`1 content ${id}`);
        expect([await other.says(), await other.says()]).toEqual(['trying', 'done']);
      }
      expect(await service.isKnown('a')).toBe(false);
    }
  });

  test('on every path, and for large contents too', async () => {
    const contents = {
      small: await storedContent('small'),
      large: await storedContent(randomBytes(HOT_FILE_BYTES + 1)),
    };
    const service = new ContentService(ctx, async (name) =>
      name === 'large' ? contents.large : contents.small,
    );
    const names = ['small', 'other', 'large'];
    for (const name of names) await (await service.get(name)).bytes();
    expect(await Promise.all(names.map((name) => service.isKnown(name)))).toEqual([
      true,
      true,
      true,
    ]);
    await commitChange(ctx, contents.small.blobKey);
    expect(await Promise.all(names.map((name) => service.isKnown(name)))).toEqual([
      false,
      false,
      true,
    ]);
    await commitChange(ctx, contents.large.blobKey);
    expect(await service.isKnown('large')).toBe(false);
  });

  test('and a commit of anything else meanwhile has no cost', async () => {
    const content = await storedContent('small');
    const service = new ContentService(ctx, async () => content);
    await service.text('a');
    await removeBytes(content);
    await using other = await openTestContext({ folder });
    for (const context of [ctx, other]) {
      await context.database.transaction(({ sql: writer }) =>
        writer.insertInto('settings').values({ name: crypto.randomUUID(), value: '' }).execute(),
      );
      await add(context, `${crypto.randomUUID()}.txt`, 'of somebody else');
      expect(await service.text('a')).toBe('small');
    }
    expect(service.found).toEqual(['a']);
  });

  test('even after a transaction that only reads or is rolled back', async () => {
    await add(ctx, 'a.txt', 'kept');
    const service = staticsService();
    await service.text('a.txt');
    await findStatic(ctx, OWNER, 'a.txt');
    expect(await service.isKnown('a.txt')).toBe(true);
    const undone = ctx.database.transaction(async ({ sql: writer }) => {
      await writer.deleteFrom('statics').execute();
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow('changed my mind');
    expect(await service.text('a.txt')).toBe('kept');
  });
});

describe('[OP11] nothing outdated is remembered', () => {
  /** A service that finds `old` once on demand, and `fresh` ever after. */
  async function slowService() {
    const [old, fresh] = [await storedContent('old'), await storedContent('new')];
    const { promise: isOver, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
    const service: ContentService = new ContentService(ctx, async () => {
      if (service.found.length > 1) return fresh;
      begin();
      await isOver;
      return old;
    });
    return { service, goOn, hasBegun, old };
  }

  test('if something is committed while it is looked up', async () => {
    const { service, goOn, hasBegun, old } = await slowService();
    const first = service.get('a');
    await hasBegun;
    await commitChange(ctx, old.blobKey);
    goOn();
    // It was found before the commit.
    expect(await (await first).text()).toBe('old');
    expect(await (await service.ask('a')).text()).toBe('new');
    expect(await service.text('a')).toBe('new');
  });

  test('if another request has noticed the commit meanwhile', async () => {
    const { service, goOn, hasBegun, old } = await slowService();
    const first = service.get('a');
    await hasBegun;
    await commitChange(ctx, old.blobKey);
    expect(await service.text('other')).toBe('new');
    goOn();
    expect(await (await first).text()).toBe('old');
    expect(await (await service.ask('a')).text()).toBe('new');
    expect(await service.text('a')).toBe('new');
    // What was found after the commit may be kept.
    expect(service.found).toEqual(['a', 'other', 'a']);
    expect(await service.isKnown('other')).toBe(true);
  });

  test('but something is, if only other things were changed meanwhile', async () => {
    const { service, goOn, hasBegun } = await slowService();
    const first = service.get('a');
    await hasBegun;
    await commitChange(ctx, 'any');
    goOn();
    expect(await (await first).text()).toBe('old');
    expect(await service.isKnown('a')).toBe(true);
    expect(await service.text('a')).toBe('old');
  });

  test('if so much was changed meanwhile that not everything is known', async () => {
    const { service, goOn, hasBegun } = await slowService();
    const first = service.get('a');
    await hasBegun;
    const ids = Array.from({ length: 1_001 }, (_, at) => `other ${at}`);
    for (let from = 0; from < ids.length; from += 500)
      await commitChange(ctx, ...ids.slice(from, from + 500));
    goOn();
    expect(await (await first).text()).toBe('old');
    expect(await service.isKnown('a')).toBe(false);
  });

  test.each<[when: string, inThatMoment: (commit: () => void) => void]>([
    ['before', (commit) => commit()],
    ['while', queueMicrotask],
  ])('if something is committed %s its bytes are read', async (_when, inThatMoment) => {
    const [old, fresh] = [await storedContent('old'), await storedContent('new')];
    const other = openSqlite(join(folder, 'data', 'hearth.sqlite'));
    // As a transaction of another process does.
    let commit = () =>
      other.exec(
        `insert into changes select coalesce(max(number), 0) + 1, 'content', '${old.blobKey}' from changes`,
      );
    // The store is asked for the bytes between finding and reading.
    const locate = (key: BlobKey) => {
      inThatMoment(commit);
      commit = () => {};
      return ctx.blobs.locate(key);
    };
    const service: ContentService = new ContentService(
      { ...ctx, blobs: { ...ctx.blobs, locate } },
      async () => (service.found.length > 1 ? fresh : old),
    );
    expect(await service.text('a')).toBe('old');
    expect(await (await service.ask('a')).text()).toBe('new');
    expect(await service.text('a')).toBe('new');
    other.close();
  });
});

describe('[FS16] what is held in memory is bounded', () => {
  test('in bytes: the least recently requested files are read again', async () => {
    const contents = new Map<string, StoredContent>();
    const service = new ContentService(ctx, async (name) => {
      const content = contents.get(name) ?? (await storedContent(randomBytes(HOT_FILE_BYTES)));
      contents.set(name, content);
      return content;
    });
    const statusOf = async (name: string) => (await service.get(name)).status;
    const last = (2 * HOT_BYTES) / HOT_FILE_BYTES;
    for (let at = 0; at <= last; at += 1) {
      expect(await statusOf(`${at}`)).toBe(200);
      // This one is asked for all the time.
      expect(await statusOf('popular')).toBe(200);
    }
    for (const content of contents.values()) await removeBytes(content);
    expect([await statusOf('popular'), await statusOf(`${last}`)]).toEqual([200, 200]);
    expect(await statusOf('0')).toBe(404);
  });

  test('in answers too: if files are tiny, the least recently requested ones are looked up again', async () => {
    const content = await storedContent(randomBytes(4 * KIB));
    const service = new ContentService(ctx, async () => content);
    // By their bytes alone, so many files would have room.
    const last = (0.75 * HOT_BYTES) / content.sizeBytes;
    for (let at = 0; at <= last; at += 1) {
      await service.get(`${at}`);
      if (at % 100 === 0) expect(await service.isKnown('0')).toBe(true);
    }
    const known = await Promise.all(['0', '1', `${last}`].map((name) => service.isKnown(name)));
    expect(known).toEqual([true, false, true]);
  });
});
