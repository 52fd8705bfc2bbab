import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { rawRequest, requestLines } from '@hearth/testing/clients/raw-http';
import { readError } from '@hearth/testing/clients/read-error';
import { addStaticFile } from '@hearth/testing/instances/static-files';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { upload } from '@hearth/testing/clients/upload-form';

let instance: TestInstance;
let files: string;
let id: string;

beforeAll(async () => {
  instance = await startTestInstance();
  files = instance.addresses.files;
  id = (await upload(files, 'good evening')).id;
  await addStaticFile(instance, 'hills.txt', 'hills');
  await addStaticFile(instance, id, 'named like an upload');
});

afterAll(() => instance[Symbol.asyncDispose]());

/** Requests a target as it is, and expects the NotFoundError of the file service. */
async function expectMissing(target: string): Promise<void> {
  const answer = await rawRequest(files, requestLines('GET', target));
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await readError(answer)).toEqual({ status: 404, message: expect.any(String) });
  const toHead = await rawRequest(files, requestLines('HEAD', target));
  expect(toHead.status).toBe(404);
}

describe('[FS6][FS26] what does not exist is answered with a NotFoundError', () => {
  test.each(['1', '0', '340282366920938463463374607431768211455', '4294967296'])(
    'the id %s',
    async (missing) => {
      for (const path of [`/${missing}`, `/attachments/${missing}`]) {
        for (const suffix of ['', '/data', '/download']) await expectMissing(path + suffix);
      }
    },
  );

  test.each([
    ...['340282366920938463463374607431768211456', '9'.repeat(500), '00', '01', '-1', '+1', '1.0'],
    ...['1e3', '0x1', 'abc', '%31%', '%', '%zz', '%00', '..%2f1', '%F0%9F', '*', 'null'],
    ...['%D9%A1', '1%20', '%201', "1'--", '1%0D%0A'],
  ])('a name that is not an id: %s', async (noId) => {
    for (const path of [`/${noId}`, `/attachments/${noId}`]) {
      for (const suffix of ['', '/data', '/download']) await expectMissing(path + suffix);
    }
  });

  test('another spelling of an id than the one that was given', async () => {
    const variants = [`0${id}`, `+${id}`, `${id}.0`, `${id}0`, id.slice(1), `%20${id}`, `${id}%00`];
    for (const variant of variants) await expectMissing(`/${variant}`);
  });

  test('an upload in another bucket', async () => {
    for (const bucket of [
      'avatars',
      'Attachments',
      'ATTACHMENTS',
      'data',
      'download',
      '%00',
      '1',
    ]) {
      for (const suffix of ['', '/data', '/download'])
        await expectMissing(`/${bucket}/${id}${suffix}`);
    }
  });

  test.each([
    ...[
      '/attachments',
      '/attachments/',
      '/attachments/data',
      '/data',
      '/download',
      '/data/download',
    ],
    ...['/a/b/c', '/attachments/1/data/data', '/attachments/1/other', '/static', '/favicon.ico'],
  ])('the route %s', expectMissing);

  test('a static file', async () => {
    for (const name of ['hills', 'Hills.txt', 'hills.txt.', 'data', 'download', '%20hills.txt']) {
      await expectMissing(`/static/${name}`);
      await expectMissing(`/static/${name}/download`);
    }
  });
});

test('[FS7] a static file has no FileData, not even one that is named like an upload', async () => {
  for (const name of ['hills.txt', id]) {
    expect((await fetch(`${files}/static/${name}`)).status).toBe(200);
    await expectMissing(`/static/${name}/data`);
  }
});

test('[FS4] an id is looked up among attachments only', async () => {
  expect(await (await fetch(`${files}/${id}`)).text()).toBe('good evening');
  expect(await (await fetch(`${files}/static/${id}`)).text()).toBe('named like an upload');
});

describe('[FS8] no name reaches what the owner did not add', () => {
  test.each([
    ...['../hearth.sqlite', '..%2fhearth.sqlite', '..%2Fhearth.sqlite', '%2e%2e%2fhearth.sqlite'],
    ...[
      '%252e%252e%252fhearth.sqlite',
      '..%5chearth.sqlite',
      '....//hearth.sqlite',
      '.',
      '..',
      '%2e',
    ],
    ...['%2fetc%2fpasswd', '/etc/passwd', 'file:%2f%2f%2fetc%2fpasswd', 'C:%5cwindows%5cwin.ini'],
    ...['incoming', 'hills.txt%00', '%00', 'hills.txt%2f', '.%2fhills.txt', 'x%2f..%2fhills.txt'],
    ...[
      "' or 1=1 --",
      '%27%20or%201=1%20--',
      '%25',
      '%',
      '*',
      '%5b%5d',
      '%c0%ae%c0%ae%c0%af',
      'hills.tx?',
    ],
  ])('%s', async (name) => {
    for (const suffix of ['', '/download', '/data']) {
      const target = `/static/${name}${suffix}`.replaceAll(' ', '+');
      const answer = await rawRequest(files, requestLines('GET', target));
      // Dot segments are resolved earlier: what is left may be `/`, which takes POST only.
      expect([404, 405]).toContain((await readError(answer)).status);
    }
  });
});

test('[FS6] a file that is removed between its look-up and its opening is answered with a NotFoundError', async () => {
  const { id: gone } = await upload(files, 'gone in a moment');
  await rm(join(instance.folder, 'data', 'blobs'), { recursive: true });
  for (const headers of [[], ['Range: bytes=0-3'], ['Range: bytes=0-1,3-4']]) {
    const answer = await rawRequest(files, requestLines('GET', `/${gone}`, ...headers));
    expect(answer.headers.get('x-ratelimit-max')).toBe('100000');
    expect(await readError(answer)).toEqual({ status: 404, message: expect.any(String) });
  }
  await expectMissing(`/${gone}`);
});
