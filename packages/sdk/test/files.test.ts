import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash, randomBytes } from 'node:crypto';
import { photograph } from '@hearth/testing/clients/photograph';
import { storedFiles } from '@hearth/testing/instances/stored-files';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import {
  connect,
  createClient,
  mediaSizeFor,
  NetworkError,
  shownSize,
  systemClock,
  type Client,
  type DownloadedFile,
  type ReceivedMessage,
  type UploadProgress,
} from '../src/index.ts';
import { startCutter } from './support/cutter.ts';
import { manualClock } from '@hearth/testing/manual-clock';

let instance: TestInstance;
let client: Client;

beforeAll(async () => {
  instance = await startTestInstance();
  client = await connect(instance.addresses.rest);
});

afterAll(async () => {
  await client.close();
  await instance[Symbol.asyncDispose]();
});

async function textOf({ body }: DownloadedFile): Promise<string> {
  return new Response(body).text();
}

const hostileNames: readonly (readonly [name: string, kept: string])[] = [
  ['plain.txt', 'plain.txt'],
  ['Grüße aus Köln.txt', 'Grüße aus Köln.txt'],
  ['写真 👋🏽.png', '写真 👋🏽.png'],
  ['quoted "name".txt', 'quoted "name".txt'],
  ['back\\slash.txt', 'slash.txt'],
  ['../../etc/passwd', 'passwd'],
  ['100%.txt', '100%.txt'],
  ['a%2Fb.txt', 'a%2Fb.txt'],
  ["it's; filename=other.txt", "it's; filename=other.txt"],
  ['new\r\nline.txt', 'newline.txt'],
  ['"\r\nContent-Type: text/html\r\n\r\n<script>', 'html<script>'],
  ['nul\0.txt', 'nul.txt'],
  ['half \ud83d.txt', 'half \ufffd.txt'],
];

describe('media', () => {
  const sizes = () => client.capabilities?.limits.media_sizes ?? [];

  test('media are fetched in the sizes that the instance offers, and count in a limit of their own', async () => {
    const { placeholder, ...data } = await client.files.upload(
      new File([await photograph({ width: 300, height: 200, orientation: 6 })], 'a.jpg'),
    );
    expect(client.capabilities?.features).toContain('media');
    expect(shownSize({ ...data, ...(placeholder && { placeholder }) })).toEqual({
      width: 200,
      height: 300,
    });
    const photo = new File([await photograph({ width: 96, height: 64, orientation: 6 })], 'b.jpg');
    const stripped = await client.files.upload(photo, { strip: true });
    expect(stripped.size).toBeLessThan(photo.size);
    expect(shownSize(stripped)).toEqual({ width: 64, height: 96 });
    const size = mediaSizeFor(50, sizes());
    const small = await client.files.media(data.id, { size });
    expect([small.contentType, small.name]).toEqual(['image/webp', 'a.webp']);
    const whole = await client.files.media(data.id);
    expect((await whole.blob()).size).toBe(data.size ?? -1);
    const part = await client.files.media(data.id, { range: { from: 0, to: 1 } });
    expect([part.isPartial, (await part.blob()).size]).toEqual([true, 2]);
    expect(client.limits.state('fetch_media').used).toBe(3);
  });

  test('media have addresses that name their file', () => {
    const url = client.files.mediaUrl('12', { size: 400 });
    expect(url).toBe(`${instance.addresses.files}/media/12?size=400`);
    expect(client.files.mediaUrl('12')).toBe(`${instance.addresses.files}/media/12`);
    for (const address of [url, `${instance.addresses.files}/media/12/`]) {
      expect(client.files.idOf(address)).toBe('12');
    }
    for (const path of ['/media', '/media/', '/media/12/data', '/attachments/media/12']) {
      expect(client.files.idOf(instance.addresses.files + path)).toBeUndefined();
    }
  });

  test('media of a message are among its attachments, live and in the history', async () => {
    const data = await client.files.upload(new File(['good evening'], 'a.txt'));
    await client.open();
    const received = Promise.withResolvers<ReceivedMessage>();
    client.on('message', received.resolve);
    await client.send({ author: 'ada', content: client.files.url(data.id) });
    expect((await received.promise).attachments).toEqual([data]);
    expect((await client.rest.listMessages({ limit: 1 }))[0]?.attachments).toEqual([data]);
  });
});

describe('an upload', () => {
  test('an upload returns the metadata of the file, which can be fetched at once', async () => {
    const picture = Buffer.from(
      'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
      'base64',
    );
    const file = new File([picture], 'dot.gif', { type: 'image/gif' });
    const data = await client.files.upload(file, { spoiler: true });
    expect(data).toEqual({
      id: data.id,
      name: 'dot.gif',
      bucket: 'attachments',
      spoiler: true,
      metadata: { type: 'image', width: 1, height: 1 },
      size: 42,
      placeholder: expect.any(String),
    });
    expect(await client.files.data(data.id)).toEqual(data);
    const fetched = await client.files.fetch(data.id);
    expect(fetched).toMatchObject({
      name: 'dot.gif',
      contentType: 'image/gif',
      sizeBytes: picture.byteLength,
      isPartial: false,
    });
    const blob = await fetched.blob();
    expect(blob.type).toBe('image/gif');
    expect(Buffer.from(await blob.arrayBuffer())).toEqual(picture);
  });

  test.each(hostileNames)('an upload keeps the name %j', async (name, kept) => {
    const { id, name: known } = await client.files.upload(new Blob(['x']), { name });
    expect(known).toBe(kept);
    const fetched = await client.files.fetch(id);
    expect(fetched.name).toBe(kept);
    expect(await textOf(fetched)).toBe('x');
  });

  test('an upload of a Blob is named file, and of a File by its name', async () => {
    expect((await client.files.upload(new Blob(['x']))).name).toBe('file');
    expect((await client.files.upload(new File(['x'], 'a.txt'))).name).toBe('a.txt');
    const named = await client.files.upload(new File(['x'], 'a.txt'), { name: 'b.txt' });
    expect(named.name).toBe('b.txt');
  });

  test('an upload reports its progress up to the last byte, whatever the file is made of', async () => {
    const bytes = randomBytes(3_000_000);
    const reported: UploadProgress[] = [];
    const onProgress = (progress: UploadProgress) => void reported.push(progress);
    const { id } = await client.files.upload(new Blob([bytes]), { onProgress });
    const sent = reported.map(({ sentBytes }) => sentBytes);
    expect(sent.length).toBeGreaterThan(10);
    expect(sent).toEqual(sent.toSorted((one, other) => one - other));
    expect(reported.at(-1)).toEqual({ sentBytes: 3_000_000, totalBytes: 3_000_000 });
    const { body } = await client.files.fetch(id);
    const hash = createHash('sha256');
    for await (const chunk of body) hash.update(chunk);
    expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  test('that is cancelled leaves nothing on the server', async () => {
    const before = await storedFiles(instance.folder);
    const abort = new AbortController();
    const reason = new Error('changed my mind');
    const upload = client.files.upload(new Blob([randomBytes(30_000_000)]), {
      signal: abort.signal,
      onProgress: ({ sentBytes }) => {
        if (sentBytes > 1_000_000) abort.abort(reason);
      },
    });
    expect(await upload.catch((error) => error)).toBe(reason);
    for (;;) {
      const { incoming, contents } = await storedFiles(instance.folder);
      if (incoming.length > 0) continue;
      expect(contents).toEqual(before.contents);
      break;
    }
    expect(client.limits.state('attachments')).toMatchObject({ waiting: 0 });
    expect((await client.files.upload(new Blob(['after']))).name).toBe('file');
  });

  test('that breaks off is a NetworkError', async () => {
    await using cutter = await startCutter(instance.addresses.files);
    await using away = createClient({ ...client.info, effis_url: cutter.url });
    const upload = away.files.upload(new Blob([randomBytes(30_000_000)]), {
      onProgress: ({ sentBytes }) => {
        if (sentBytes > 1_000_000) cutter.cut();
      },
    });
    expect(await upload.catch((error) => error)).toBeInstanceOf(NetworkError);
  });

  test('an upload may take as long as it needs while it makes progress', async () => {
    let renewed = 0;
    const clock = {
      now: () => Date.now(),
      after: (delayMs: number, callback: () => void) => {
        if (delayMs === 30_000) renewed += 1;
        return systemClock.after(delayMs, callback);
      },
    };
    await using patient = createClient(client.info, { clock });
    await patient.files.upload(new Blob([randomBytes(2_000_000)]));
    expect(renewed).toBeGreaterThan(20);
  });

  test('over a dead connection fails after a time of silence', async () => {
    await using cutter = await startCutter(instance.addresses.files);
    const info = { ...client.info, effis_url: cutter.url };
    await using away = createClient(info, { requestTimeoutMs: 100 });
    cutter.freeze();
    const upload = away.files.upload(new Blob(['x']));
    const error = await upload.catch((reason) => reason);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error.message).toBe('The instance was silent for 100 ms');
  });
});

describe('a download', () => {
  test('a download returns the requested part', async () => {
    const { id } = await client.files.upload(new Blob(['0123456789']));
    const middle = await client.files.fetch(id, { range: { from: 2, to: 4 } });
    expect(middle).toMatchObject({ isPartial: true, sizeBytes: 3 });
    expect(await textOf(middle)).toBe('234');
    const end = await client.files.fetch(id, { range: { from: 7 } });
    expect(await textOf(end)).toBe('789');
  });

  test('a download may be read slowly, and fails if the instance falls silent', async () => {
    const { id } = await client.files.upload(new Blob([randomBytes(20_000_000)]));
    await using cutter = await startCutter(instance.addresses.files);
    const clock = manualClock();
    await using away = createClient({ ...client.info, effis_url: cutter.url }, { clock });
    const { body } = await away.files.fetch(id);
    const reader = body.getReader();
    await clock.advance(3_600_000);
    expect((await reader.read()).done).toBe(false);
    await clock.advance(3_600_000);
    cutter.freeze();
    // What had arrived before can still be read.
    const failure = (async () => {
      for (;;) await reader.read();
    })().catch((error: unknown) => error);
    let isOver = false;
    void failure.then(() => (isOver = true));
    while (!isOver) await clock.advance(1_000);
    expect(await failure).toBeInstanceOf(NetworkError);
  });

  test('that is cancelled ends at once, with the reason for its reader', async () => {
    const { id } = await client.files.upload(new Blob([randomBytes(20_000_000)]));
    const abort = new AbortController();
    const { body } = await client.files.fetch(id, { signal: abort.signal });
    const reader = body.getReader();
    expect((await reader.read()).done).toBe(false);
    const reason = new Error('enough');
    abort.abort(reason);
    expect(await reader.read().catch((error) => error)).toBe(reason);
  });

  test('a download ends when its reader leaves, or with the client', async () => {
    const { id } = await client.files.upload(new Blob([randomBytes(20_000_000)]));
    await using other = await connect(instance.addresses.rest);
    const left = await other.files.fetch(id);
    await left.body.cancel();
    const { body } = await other.files.fetch(id);
    const reader = body.getReader();
    await reader.read();
    await other.close();
    const error = await reader.read().catch((reason) => reason);
    expect(error.name).toBe('ClosedError');
  });

  test('that breaks off fails there, and does not look complete', async () => {
    const { id } = await client.files.upload(new Blob([randomBytes(20_000_000)]));
    await using cutter = await startCutter(instance.addresses.files);
    await using away = createClient({ ...client.info, effis_url: cutter.url });
    const { body } = await away.files.fetch(id);
    const reader = body.getReader();
    await reader.read();
    cutter.cut();
    const failure = async () => {
      for (;;) if ((await reader.read()).done) return 'over';
    };
    expect(await failure().catch((error) => error)).toBeInstanceOf(NetworkError);
  });
});

describe('the address of a file', () => {
  const id = '2680376366833800913587929089';

  test('an address is short, names another bucket, and can ask for the form to save', () => {
    const { files } = instance.addresses;
    expect(client.files.url(id)).toBe(`${files}/${id}`);
    expect(client.files.url(id, { bucket: 'attachments' })).toBe(`${files}/${id}`);
    expect(client.files.url(id, { bucket: 'a/b' })).toBe(`${files}/a%2Fb/${id}`);
    expect(client.files.url(id, { download: true })).toBe(`${files}/${id}/download`);
  });

  test('an address is recognised in all its forms, and no other one is', () => {
    const { files } = instance.addresses;
    const known = ['', '/download', '/'].flatMap((end) => [
      `${files}/${id}${end}`,
      `${files}/attachments/${id}${end}`,
    ]);
    for (const url of [...known, `${files}/${id}#top`]) expect(client.files.idOf(url)).toBe(id);
    for (const url of [
      '',
      id,
      `${files}`,
      `${files}/`,
      `${files}/static/${id}`,
      `${files}/${id}/data`,
      `${files}/${id}/download/more`,
      `${files}/0${id}`,
      `${files}/x${id}`,
      `${files}1/${id}`,
      `http://elsewhere.test/${id}`,
      `${files.replace('http', 'https')}/${id}`,
      `javascript:${files}/${id}`,
    ]) {
      expect(client.files.idOf(url)).toBeUndefined();
    }
  });

  test('may have a path', () => {
    const effis_url = 'https://chat.test/files/';
    const away = createClient({ ...client.info, effis_url });
    expect(away.files.url(id)).toBe(`https://chat.test/files/${id}`);
    expect(away.files.idOf(`https://chat.test/files/${id}`)).toBe(id);
    expect(away.files.idOf(`https://chat.test/${id}`)).toBeUndefined();
    expect(away.files.idOf(`https://chat.test/filesystem/${id}`)).toBeUndefined();
  });
});

test('a length that is not a number is not reported', async () => {
  const headers = { 'Content-Length': 'long' };
  const fetch = async () => new Response('x', { headers });
  await using other = createClient(client.info, { fetch });
  const { sizeBytes, body } = await other.files.fetch('1');
  expect(sizeBytes).toBeUndefined();
  await body.cancel();
});

test('a static file is fetched by its name', async () => {
  const error = await client.files.fetchStatic('../secret').catch((reason) => reason);
  expect(error.name).toBe('NotFoundError');
});
