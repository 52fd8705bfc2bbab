import { expect, spyOn, test } from 'bun:test';
import { signal } from '@preact/signals';
import {
  connect,
  NetworkError,
  systemClock,
  type FileData,
  type UploadTransport,
} from '@hearth/sdk';
import { startDocumentedServer } from '@hearth/testing/clients/documented-server';
import { settled } from '@hearth/testing/manual-clock';
import { Uploads } from './uploads.ts';

const file = (name: string, content = 'hello', type = 'text/plain') =>
  new File([content], name, { type });

const post: UploadTransport = async ({
  url,
  file: content,
  name,
  spoiler,
  signal: ended,
  onProgress,
}) => {
  const form = new FormData();
  form.append('file', content, name);
  if (spoiler) form.append('spoiler', 'true');
  onProgress({ sentBytes: content.size, totalBytes: content.size });
  const response = await fetch(url, { method: 'POST', body: form, signal: ended });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

/** Uploads to a server of the interface. */
async function start(
  options: {
    info?: Record<string, unknown>;
    upload?: UploadTransport;
    mostFiles?: number;
    refusal?: Error;
  } = {},
) {
  const server = startDocumentedServer({ info: { attachment_file_size: 100, ...options.info } });
  const client = await connect(server.url, { upload: options.upload ?? post });
  const sent: string[] = [];
  const back: string[] = [];
  const remembered: FileData[] = [];
  const isReachable = signal(true);
  const uploads = new Uploads({
    client,
    isReachable,
    clock: systemClock,
    mostFiles: options.mostFiles ?? 20,
    deliver(text, files) {
      if (options.refusal !== undefined) throw options.refusal;
      sent.push([text, ...files.map(({ id }) => client.files.url(id))].join('\n').trim());
    },
    putBack: (content) => void back.push(content),
    remember: (data) => void remembered.push(data),
  });
  return {
    ...{ client, uploads, sent, back, remembered, isReachable, server },
    names: () => uploads.picked.value.map((picked) => picked.file.name),
    [Symbol.asyncDispose]: async () => {
      uploads[Symbol.dispose]();
      await client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Waits until `condition` holds, which events on a socket bring about. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await settled();
}

test('a message with files is sent after their upload, each on a line of its own after the text', async () => {
  await using page = await start();
  page.uploads.pick([file('one.txt'), file('two.txt')]);
  page.uploads.dispatch('look');
  expect(page.names()).toEqual([]);
  expect(page.uploads.sending.value.map(({ text }) => text)).toEqual(['look']);
  await until(() => page.sent.length === 1);
  expect(page.sent).toEqual([`look\n${page.server.url}/1\n${page.server.url}/2`]);
  expect(page.uploads.sending.value).toEqual([]);
  expect(page.remembered.map(({ name }) => name)).toEqual(['one.txt', 'two.txt']);
});

test('a message may consist of files only', async () => {
  await using page = await start();
  page.uploads.pick([file('one.txt')]);
  page.uploads.dispatch('');
  await until(() => page.sent.length === 1);
  expect(page.sent).toEqual([`${page.server.url}/1`]);
});

test('a file that is empty or too large is refused before anything is sent, with a reason', async () => {
  await using page = await start();
  page.uploads.pick([
    file('empty.txt', ''),
    file('fits.txt', 'x'.repeat(100)),
    file('big.txt', 'x'.repeat(101)),
  ]);
  expect(page.names()).toEqual(['fits.txt']);
  expect(page.uploads.refused.value).toMatchObject([
    { name: 'empty.txt', reason: 'empty', sizeBytes: 0 },
    { name: 'big.txt', reason: 'too_big', sizeBytes: 101 },
  ]);
  page.uploads.forgetRefused();
  expect(page.uploads.refused.value).toEqual([]);
});

test('pictures have a preview and documents have none, even if the document is a drawing', async () => {
  await using page = await start();
  page.uploads.pick([
    file('a.png', 'x', 'image/png'),
    file('a.svg', 'x', 'image/svg+xml'),
    file('a.txt'),
  ]);
  const previews = page.uploads.picked.value.map(({ previewUrl }) => previewUrl !== undefined);
  expect(previews).toEqual([true, false, false]);
});

test('a file can be removed, or marked as a spoiler, which its upload includes', async () => {
  const spoilers: boolean[] = [];
  await using page = await start({
    upload: (request) => {
      spoilers.push(request.spoiler);
      return post(request);
    },
  });
  page.uploads.pick([file('one.txt'), file('two.txt'), file('three.txt')]);
  const [one, two] = page.uploads.picked.value;
  page.uploads.remove(one?.key ?? '');
  page.uploads.setSpoiler(two?.key ?? '', true);
  expect(page.names()).toEqual(['two.txt', 'three.txt']);
  page.uploads.dispatch('');
  await until(() => page.sent.length === 1);
  expect(spoilers).toEqual([true, false]);
});

test('progress is reported, and cancelling a message ends its upload and restores it', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  await using page = await start({
    upload: ({ signal: stop, onProgress }) => {
      onProgress({ sentBytes: 2, totalBytes: 5 });
      const { promise, reject } = Promise.withResolvers<never>();
      stop.addEventListener('abort', () => {
        end();
        reject(stop.reason);
      });
      return promise;
    },
  });
  page.uploads.pick([file('one.txt'), file('two.txt')]);
  page.uploads.dispatch('look');
  const steps = () => page.uploads.sending.value[0]?.files.map(({ step }) => step) ?? [];
  await until(() => steps().some((step) => step.state === 'uploading' && step.sentBytes > 0));
  expect(steps()).toEqual([
    { state: 'uploading', sentBytes: 2, totalBytes: 5 },
    { state: 'queued' },
  ]);
  page.uploads.pick([file('since.txt')]);
  page.uploads.cancel(page.uploads.sending.value[0]?.key ?? '');
  await ended;
  await settled();
  expect(page.names()).toEqual(['one.txt', 'two.txt', 'since.txt']);
  expect(page.back).toEqual(['look']);
  expect([page.uploads.sending.value, page.sent]).toEqual([[], []]);
});

test('a failed upload keeps the message; another try uploads only what is missing', async () => {
  let uploads = 0;
  await using page = await start({
    upload: (request) => {
      uploads += 1;
      if (uploads === 2) throw new TypeError('broken off');
      return post(request);
    },
  });
  page.uploads.pick([file('one.txt'), file('two.txt')]);
  page.uploads.dispatch('look');
  await until(() => page.uploads.sending.value[0]?.at.state === 'failed');
  const [message] = page.uploads.sending.value;
  expect(message?.at.state === 'failed' && message.at.error).toBeInstanceOf(NetworkError);
  expect(page.sent).toEqual([]);
  page.uploads.retry(message?.key ?? '');
  await until(() => page.sent.length === 1);
  expect(page.sent).toEqual([`look\n${page.server.url}/1\n${page.server.url}/2`]);
  expect(uploads).toBe(3);
});

test('an upload that breaks off with the connection continues by itself when the connection is back', async () => {
  let uploads = 0;
  await using page = await start({
    upload: (request) => {
      uploads += 1;
      if (uploads > 1) return post(request);
      page.isReachable.value = false;
      throw new TypeError('broken off');
    },
  });
  page.uploads.pick([file('one.txt')]);
  page.uploads.dispatch('look');
  await until(() => uploads === 1);
  await settled();
  expect(page.uploads.sending.value[0]).toMatchObject({
    at: { state: 'running' },
    files: [{ step: { state: 'queued' } }],
  });
  page.isReachable.value = true;
  await until(() => page.sent.length === 1);
});

test('what cannot be accepted is kept, with the reason', async () => {
  await using page = await start({ refusal: new Error('too long') });
  page.uploads.pick([file('one.txt')]);
  page.uploads.dispatch('look');
  await until(() => page.uploads.sending.value[0]?.at.state === 'failed');
  expect(page.uploads.sending.value).toMatchObject([
    { at: { error: new Error('too long') }, files: [{ step: { state: 'done' } }] },
  ]);
  expect(page.sent).toEqual([]);
});

test('[WC201] files that are uploaded at once come each by itself, and no more than a post may have', async () => {
  let uploads = 0;
  await using page = await start({
    mostFiles: 3,
    upload: (request) => {
      uploads += 1;
      if (uploads === 1) throw new TypeError('broken off');
      return post(request);
    },
  });
  page.uploads.upload([file('a.txt'), file('b.txt')], 1);
  page.uploads.upload([file('c.txt')], 1);
  expect(page.uploads.refused.value).toMatchObject([{ name: 'c.txt', reason: 'too_many' }]);
  await until(() => page.sent.length === 1);
  const [failed] = page.uploads.sending.value;
  expect(page.uploads.sending.value).toMatchObject([
    { at: { state: 'failed' }, files: [{ file: { name: 'a.txt' } }] },
  ]);
  page.uploads.retry(failed?.key ?? '');
  await until(() => page.sent.length === 2);
  expect(page.remembered.map(({ name }) => name)).toEqual(['b.txt', 'a.txt']);
});

test('nothing is uploaded any more once the uploads have ended, or what was removed', async () => {
  const begun: string[] = [];
  await using page = await start({
    upload: ({ name, signal: stop }) => {
      begun.push(name);
      const { promise, reject } = Promise.withResolvers<never>();
      stop.addEventListener('abort', () => reject(stop.reason));
      return promise;
    },
  });
  page.uploads.upload([file('a.txt'), file('b.txt'), file('c.txt')], 0);
  await until(() => begun.length === 1);
  page.uploads.drop(page.uploads.sending.value[0]?.key ?? '');
  await until(() => begun.length === 2);
  page.uploads[Symbol.dispose]();
  for (let turn = 0; turn < 5; turn += 1) await settled();
  expect([begun, page.sent]).toEqual([['a.txt', 'b.txt'], []]);
});

test('messages with files are sent one after the other, one file at a time', async () => {
  let running = 0;
  let mostRunning = 0;
  await using page = await start({
    upload: async (request) => {
      mostRunning = Math.max(mostRunning, ++running);
      return post(request).finally(() => (running -= 1));
    },
  });
  for (const text of ['first', 'second', 'third']) {
    page.uploads.pick([file(`${text}.txt`)]);
    page.uploads.dispatch(text);
  }
  await until(() => page.sent.length === 3);
  expect(page.sent.map((content) => content.split('\n')[0])).toEqual(['first', 'second', 'third']);
  expect(mostRunning).toBe(1);
});

test.each([
  [['strip'], true],
  [[], false],
])(
  '[WC92] a server with the features %j is asked to remove metadata: %p',
  async (features, strip) => {
    await using page = await start();
    const capabilities = { features, limits: { media_sizes: [] } };
    Object.defineProperty(page.client, 'capabilities', { value: capabilities });
    const upload = spyOn(page.client.files, 'upload');
    page.uploads.pick([file('a.txt')]);
    page.uploads.dispatch('');
    await until(() => page.sent.length === 1);
    expect(upload.mock.lastCall?.[1]).toMatchObject({ name: 'a.txt', strip });
  },
);

test('[WC145][WC145a] no more files are picked than a message may have', async () => {
  await using page = await start({ mostFiles: 2 });
  page.uploads.pick([file('a.txt')]);
  page.uploads.pick([file('b.txt'), file('c.txt')]);
  expect(page.names()).toEqual(['a.txt', 'b.txt']);
  expect(page.uploads.refused.value).toMatchObject([{ name: 'c.txt', reason: 'too_many' }]);
});
