import { connect, createClient, memoryTokens, type Client } from '@hearth/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { signalUntil } from '../../../test/support/signal-until.ts';
import { Attachments } from './attachments.ts';

const isOver = ({ state }: { readonly state: string }) =>
  state !== 'loading' && state !== 'waiting';

/** One white pixel. */
const PIXEL = Uint8Array.fromBase64(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=',
);

let instance: TestInstance;
let client: Client;
let attachments: Attachments;

beforeAll(async () => {
  instance = await startTestInstance();
  client = createClient(await (await fetch(instance.addresses.rest)).json());
  attachments = new Attachments(client);
});

afterAll(async () => {
  attachments[Symbol.dispose]();
  await client.close();
  await instance.stop();
});

describe('attachments', () => {
  test('attachments are described by their data, with a picture in memory', async () => {
    const { id } = await client.files.upload(new File([PIXEL], 'pixel.png'));
    const data = await signalUntil(attachments.data(id), isOver);
    expect(data).toMatchObject({
      state: 'ready',
      data: { name: 'pixel.png', metadata: { type: 'image', width: 1, height: 1 } },
    });
    const content = await signalUntil(attachments.content(id), isOver);
    if (content.state !== 'ready') throw new Error(content.state);
    const picture = await (await fetch(content.objectUrl)).blob();
    expect([picture.type, picture.size]).toEqual(['image/png', PIXEL.length]);
  });

  test('that are not pictures have no type that a browser would run', async () => {
    const { id } = await client.files.upload(new File(['<script>alert(1)</script>'], 'page.html'));
    const content = await signalUntil(attachments.content(id), isOver);
    if (content.state !== 'ready') throw new Error(content.state);
    expect((await (await fetch(content.objectUrl)).blob()).type).toBe('application/octet-stream');
  });

  test('that do not exist are missing', async () => {
    expect(await signalUntil(attachments.data('1'), isOver)).toEqual({ state: 'missing' });
  });

  test('attachments of text are read from the beginning, and in whole characters', async () => {
    const { id } = await client.files.upload(new File(['🔥'.repeat(100_000)], 'fire.txt'));
    const beginning = await signalUntil(attachments.text(id, 10), isOver);
    expect(beginning).toEqual({ state: 'ready', text: '🔥🔥', isWhole: false });
    const short = await client.files.upload(new File(['all of it'], 'short.txt'));
    expect(await signalUntil(attachments.text(short.id, 9), isOver)).toEqual({
      state: 'ready',
      text: 'all of it',
      isWhole: true,
    });
  });

  test('that were uploaded here need no request', async () => {
    const data = {
      id: '7',
      name: 'mine.png',
      bucket: 'attachments',
      metadata: { type: 'image', width: 1, height: 1 },
    } as const;
    attachments.remember(data, new Blob([PIXEL], { type: 'image/png' }));
    expect(attachments.data('7').value).toEqual({ state: 'ready', data });
    expect(attachments.content('7').value.state).toBe('ready');
  });

  test('[WC26] that came with their messages need no request', async () => {
    const data = {
      id: '8',
      name: 'a.txt',
      bucket: 'attachments',
      metadata: { type: 'text' },
    } as const;
    expect(attachments.known('8')).toBeUndefined();
    attachments.learn([data]);
    expect([attachments.known('8'), attachments.data('8').value]).toEqual([
      data,
      { state: 'ready', data },
    ]);
    const placed = { ...data, placeholder: 'AAAAAAA=' };
    attachments.learn([placed]);
    expect(attachments.data('8').value).toEqual({ state: 'ready', data: placed });
    // It was requested before its message came with its data.
    const { id } = await client.files.upload(new File(['late'], 'late.txt'));
    const late = signalUntil(attachments.data(id), isOver);
    attachments.learn([{ ...data, id }]);
    expect(await late).toEqual({ state: 'ready', data: { ...data, id } });
  });

  test('[WC94] that a message of the history names and does not list are missing without a request', async () => {
    const { addresses } = instance;
    await using able = await connect(addresses.rest);
    const { info, capabilities } = able;
    const elsewhere = 'http://nas.test/files';
    await using named = createClient(info, { capabilities, fileAddresses: [elsewhere] });
    using files = new Attachments(named, [addresses.files]);
    const listed = await named.files.upload(new File(['a'], 'listed.txt'));
    const at = (id: string) => `${addresses.files}/${id}`;
    const content = [at(listed.id), at('31'), `${elsewhere}/32`].join('\n');
    files.learnMissing({ content, attachments: [listed] });
    files.learnMissing({
      content: Array.from({ length: 21 }, (_, id) => at(`40${id}`)).join('\n'),
    });
    const missing = [listed.id, '31', '32', '400'].map((id) => files.isMissing(id));
    expect(missing).toEqual([false, true, false, false]);
    expect(files.data('31').value).toEqual({ state: 'missing' });
    // It existed at the last visit, of which the browser kept messages.
    files.learn([{ ...listed, id: '33' }]);
    expect(files.data('33').value.state).toBe('ready');
    files.learnMissing({ content: at('33') });
    expect([files.data('33').value.state, files.known('33')]).toEqual(['missing', undefined]);
    // A server that lists no files is asked.
    using other = new Attachments(client, [addresses.files]);
    other.learnMissing({ content: at('31') });
    expect(other.isMissing('31')).toBe(false);
  });

  test('[WC113] that need a key are found by the key that a message gave or the instance confirmed', async () => {
    await using instance = await startTestInstance({
      toml: `registration = "open"\n${GENEROUS_LIMITS}`,
    });
    const { rest } = instance.addresses;
    await using ada = await connect(rest, { tokens: memoryTokens() });
    const password = 'correct horse battery';
    await ada.register({ username: 'ada', email: 'ada@example.org', password });
    await using visitor = await connect(rest);
    using own = new Attachments(ada);
    using shown = new Attachments(visitor, [instance.addresses.files]);
    const data = await ada.files.upload(new File([PIXEL], 'pixel.png'));
    const { id, key } = data;
    own.remember(data);
    const ownSource = await fetch(own.media.url(id));
    expect(ownSource.status).toBe(200);
    // Without the key, it is looked for in vain.
    const bare = visitor.files.url(id);
    expect(shown.split(bare).ids).toEqual([id]);
    expect((await signalUntil(shown.data(id), isOver)).state).toBe('missing');
    expect(shown.split(visitor.files.url(id, { key })).ids).toEqual([id]);
    shown.retry(id);
    expect(await signalUntil(shown.data(id), isOver)).toEqual({ state: 'ready', data });
    expect((await signalUntil(shown.content(id, 96), isOver)).state).toBe('ready');
    expect((await fetch(shown.url(id, { download: true }))).status).toBe(200);
    // A confirmed key is kept, whatever later texts say, and no text without it hides the file.
    shown.learn([data]);
    const wrong = visitor.files.url(id, { key: '0'.repeat(32) });
    for (const content of [bare, wrong]) {
      shown.split(content);
      shown.learnMissing({ content });
      expect([shown.isMissing(id), shown.media.url(id)]).toEqual([
        false,
        visitor.files.mediaUrl(id, { key }),
      ]);
    }
    shown.learnMissing({ content: visitor.files.url(id, { key }) });
    expect(shown.isMissing(id)).toBe(true);
  });

  test('[WC93] that the browser kept are there as pictures, unless they were uploaded here', () => {
    const own = attachments.local('7');
    const kept = new Blob([PIXEL], { type: 'image/png' });
    for (const id of ['7', '71']) attachments.showKept(id, kept);
    const address = attachments.local('71');
    expect(address).toStartWith('blob:');
    expect([attachments.local('7'), attachments.local('71')]).toEqual([own, address]);
    expect(attachments.content('71').value).toMatchObject({ state: 'ready', objectUrl: address });
  });

  test('[WC26][WC26b] that were uploaded here are there as pictures', () => {
    expect([attachments.local('7'), attachments.local('8')]).toEqual([
      expect.stringMatching(/^blob:/),
      undefined,
    ]);
  });

  test('attachments are on lines of their own', () => {
    const url = client.files.url('12');
    expect(attachments.split(`look\n${url}\nand ${url}`)).toEqual({
      text: `look\nand ${url}`,
      ids: ['12'],
    });
  });
});

test('a file that the limit holds back is loaded later', async () => {
  const limit = 'fetch_file = { reset_after = 1, limit = 1 }';
  await using slow = await startTestInstance({
    toml: GENEROUS_LIMITS.replace(/^fetch_file.*$/m, limit),
  });
  await using slowClient = createClient(await (await fetch(slow.addresses.rest)).json());
  using few = new Attachments(slowClient);
  const { id } = await slowClient.files.upload(new File(['a'], 'a.txt'));
  expect(await signalUntil(few.data(id), isOver)).toMatchObject({ state: 'ready' });
  const other = await slowClient.files.upload(new File(['b'], 'b.txt'));
  const waiting = signalUntil(few.data(other.id), ({ state }) => state === 'waiting');
  const ready = signalUntil(few.data(other.id), isOver);
  expect((await waiting).state).toBe('waiting');
  expect(await ready).toMatchObject({ state: 'ready', data: { name: 'b.txt' } });
});
