import { type Id, MEDIA_SIZES } from '@hearth/protocol';
import { photograph } from '@hearth/testing/clients/photograph';
import { readError, readValidationError } from '@hearth/testing/clients/read-error';
import {
  encodeForm,
  fieldPart,
  filePart,
  postForm,
  readFileData,
  upload,
} from '@hearth/testing/clients/upload-form';
import { storedFiles } from '@hearth/testing/instances/stored-files';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { OWNER } from '../src/actor.ts';
import { removeUpload } from '../src/features/files/uploads/remove-upload.ts';
import { parseId } from '@hearth/protocol';
import { fixtureBytes } from '@hearth/testing/media/fixtures';

const CHROMIUM = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
const IMMUTABLE = 'public, max-age=31536000, immutable';

let instance: TestInstance;
let files: string;
let picture: Buffer<ArrayBuffer>;
let id: string;

beforeAll(async () => {
  instance = await startTestInstance();
  files = instance.addresses.files;
  picture = await photograph({ width: 1_000, height: 600, orientation: 6 });
  ({ id } = await upload(files, picture, 'hills.jpg'));
});

afterAll(() => instance[Symbol.asyncDispose]());

const media = (of: string, query = '', accept?: string) =>
  fetch(`${files}/media/${of}${query}`, accept === undefined ? {} : { headers: { accept } });

async function pictureOf(answer: Response) {
  expect(answer.status).toBe(200);
  const bytes = await answer.bytes();
  return { bytes, ...(await sharp(bytes).metadata()) };
}

const withPath = (key: string) => join(instance.folder, 'data', 'blobs', key.slice(0, 2), key);

/** The keys of the variants of an upload. */
async function variantsOf(upload: string): Promise<readonly (string | null)[]> {
  await using ctx = await openTestContext(instance);
  const rows = await ctx.database.reader
    .selectFrom('media_variants')
    .innerJoin('uploads', 'uploads.blob_key', 'media_variants.source_key')
    .select('media_variants.blob_key')
    .where('uploads.id', '=', upload as Id)
    .execute();
  return rows.map(({ blob_key }) => blob_key);
}

describe('FileData', () => {
  test('[FD11][FD12] FileData has the size, and of a picture a placeholder, in every answer', async () => {
    const data = await readFileData(
      await postForm(`${files}/`, encodeForm(filePart(picture, 'a.jpg'))),
    );
    expect(data.size).toBe(picture.length);
    expect(data.placeholder).toMatch(/^[\w+/]{20,40}=*$/);
    const later = await fetch(`${files}/${data.id}/data`);
    expect(await later.json()).toEqual(data);
    expect(later.headers.get('cache-control')).toBe(IMMUTABLE);
  });

  test('[FD11][FS29] FileData of a file that is not a picture has none, and is immutable', async () => {
    const data = await upload(files, 'good evening', 'a.txt');
    expect(data).toMatchObject({ size: 12 });
    expect(data).not.toHaveProperty('placeholder');
    const answer = await fetch(`${files}/attachments/${data.id}/data`);
    expect(answer.headers.get('cache-control')).toBe(IMMUTABLE);
  });

  test('[FD11][FS29] FileData of a picture that cannot be decoded has none, and is not kept', async () => {
    const data = await upload(files, await fixtureBytes('palette.bmp'), 'a.bmp');
    expect(data).not.toHaveProperty('placeholder');
    const answer = await fetch(`${files}/${data.id}/data`);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  });

  test('[FD11] FileData of an older upload gets its placeholder when it is asked for, or when a variant is made', async () => {
    const own = await photograph({ width: 300, height: 200, seed: 2 });
    const data = await upload(files, own, 'a.jpg');
    const forget = async () => {
      await using ctx = await openTestContext(instance);
      await ctx.database.transaction(({ sql }) =>
        sql.updateTable('contents').set({ placeholder: null }).execute(),
      );
    };
    await forget();
    const answer = await fetch(`${files}/${data.id}/data`);
    expect([answer.headers.get('cache-control'), await answer.json()]).toEqual([IMMUTABLE, data]);
    await forget();
    await (await media(data.id, '?size=96')).bytes();
    await using ctx = await openTestContext(instance);
    const known = () =>
      ctx.database.reader
        .selectFrom('contents')
        .select('blob_key')
        .where('placeholder', '=', data.placeholder ?? '')
        .execute();
    await until(async () => (await known()).length === 1);
  });
});

describe('GET /media/<id>', () => {
  test('[FS30] answers with the file as it is, whatever it is, and with parts of it', async () => {
    const { id: text } = await upload(files, 'good evening', 'a.txt');
    const whole = await media(text);
    expect(await whole.text()).toBe('good evening');
    expect(whole.headers.get('cache-control')).toBe(IMMUTABLE);
    expect(whole.headers.get('content-disposition')).toContain('inline');
    expect(whole.headers.get('x-ratelimit-max')).not.toBeNull();
    const part = await fetch(`${files}/media/${text}`, { headers: { Range: 'bytes=5-11' } });
    expect([part.status, await part.text()]).toEqual([206, 'evening']);
    expect(await (await media(id)).bytes()).toEqual(Uint8Array.from(picture));
  });

  test('[FS30] counts in the limit fetch_media, apart from fetch_file', async () => {
    const toml = '[effis.rate_limits.fetch_media]\nreset_after = 60\nlimit = 2\n';
    await using own = await startTestInstance({ toml });
    const { id: file } = await upload(own.addresses.files, 'x', 'a.txt');
    const status = async (path: string) => (await fetch(own.addresses.files + path)).status;
    const found = [];
    for (const path of ['/media/1', `/media/${file}`, `/media/${file}`, `/${file}`]) {
      found.push(await status(path));
    }
    expect(found).toEqual([404, 200, 429, 200]);
  });

  test.each([
    ['of an unknown file', '/media/1'],
    ['of no identifier', '/media/one'],
    ['for saving', '/media/1/download'],
    ['for its data', '/media/1/data'],
  ])('[FS30] the answer is a NotFoundError %s', async (_what, path) => {
    expect((await readError(await fetch(files + path))).status).toBe(404);
  });
});

describe('a size', () => {
  test.each([
    ['Chromium', CHROMIUM, 'image/avif', 'heif'],
    ['a client that takes anything', '*/*', 'image/webp', 'webp'],
    ['a client that says nothing', '', 'image/webp', 'webp'],
    ['a client of neither', 'image/png, image/jpeg', 'image/jpeg', 'jpeg'],
  ])('[FS31] for %s is in its format, and upright', async (_who, accept, type, format) => {
    const answer = await media(id, '?size=96', accept);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('vary')).toBe('Accept');
    expect(answer.headers.get('cache-control')).toBe(IMMUTABLE);
    expect(answer.headers.get('content-disposition')).toBe(
      `inline; filename=hills.${format === 'heif' ? 'avif' : format}`,
    );
    const found = await pictureOf(answer);
    expect<unknown>([found.format, found.width, found.height]).toEqual([format, 58, 96]);
    expect([found.exif, found.orientation]).toEqual([undefined, undefined]);
    expect(found.bytes.length).toBeLessThan(picture.length / 10);
  });

  test('[FS31] a size is each of those that the capabilities list, and never larger than the picture', async () => {
    for (const size of MEDIA_SIZES) {
      const { width, height } = await pictureOf(await media(id, `?size=${size}`));
      expect(Math.max(width, height)).toBe(Math.min(size, 1_000));
    }
  });

  test.each(['', '0', '97', '400.0', '-96', '0x60', '400px', '１００'])(
    '[FS32] a size of %j is refused with a ValidationError for size',
    async (size) => {
      expect((await readValidationError(await media(id, `?size=${size}`))).field).toBe('size');
    },
  );

  test.each(['moov-first.mp4', 'sound.mp3'])(
    '[FS32] a size of %s, which is no picture, is refused with a ValidationError for size',
    async (name) => {
      const { id: other } = await upload(files, await fixtureBytes(name), name);
      expect((await readValidationError(await media(other, '?size=96'))).field).toBe('size');
    },
  );

  test.each(['palette.bmp', 'thumbnail.heic', 'icon.ico'])(
    '[FS32] a size of %s, which cannot be decoded, is the picture as it is',
    async (name) => {
      const bytes = await fixtureBytes(name);
      const { id: other } = await upload(files, bytes, name);
      const answer = await media(other, '?size=96');
      expect(answer.headers.get('cache-control')).toBe(IMMUTABLE);
      expect(await answer.bytes()).toEqual(Uint8Array.from(bytes));
    },
  );

  test('[FS32] a size is the picture as it is if that is smaller', async () => {
    const tiny = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const { id: small } = await upload(files, Buffer.from(tiny), 'a.png');
    const answer = await media(small, '?size=1600', CHROMIUM);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(await answer.bytes()).toEqual(Uint8Array.from(tiny));
    expect(await variantsOf(small)).toEqual([null]);
  });

  test('[FS31] a size of a spoiler is served like any other', async () => {
    const form = encodeForm(fieldPart('spoiler', 'true'), filePart(picture, 'a.jpg'));
    const { id: spoiler } = await readFileData(await postForm(`${files}/`, form));
    expect((await media(spoiler, '?size=96')).status).toBe(200);
  });

  test('[FS31] a size of an animation moves', async () => {
    const { id: gif } = await upload(files, await fixtureBytes('animated.gif'), 'a.gif');
    const answer = await media(gif, '?size=1600', CHROMIUM);
    const bytes = await answer.bytes();
    expect((await sharp(bytes, { animated: true }).metadata()).pages).toBeGreaterThan(1);
  });
});

describe('[FS33] variants', () => {
  test('variants are made once, however many ask for them', async () => {
    const own = await upload(
      files,
      await photograph({ width: 700, height: 500, seed: 3 }),
      'a.jpg',
    );
    const before = (await storedFiles(instance.folder)).contents.length;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => media(own.id, '?size=400', CHROMIUM)),
    );
    const bodies = await Promise.all(answers.map((answer) => answer.bytes()));
    for (const body of bodies) expect(body).toEqual(bodies[0] ?? new Uint8Array());
    const { contents, incoming } = await storedFiles(instance.folder);
    expect([contents.length - before, incoming]).toEqual([1, []]);
    expect(await variantsOf(own.id)).toHaveLength(1);
  });

  test('variants are removed with the last upload of their picture', async () => {
    const bytes = await photograph({ width: 640, height: 480, seed: 4 });
    await using own = await startTestInstance();
    const of = own.addresses.files;
    const [one, two] = [await upload(of, bytes, 'a.jpg'), await upload(of, bytes, 'b.jpg')];
    for (const query of ['?size=96', '?size=400']) {
      await (await fetch(`${of}/media/${one.id}${query}`)).bytes();
    }
    expect((await storedFiles(own.folder)).contents).toHaveLength(3);
    await using ctx = await openTestContext(own);
    const remove = async (text: string) => {
      const parsed = parseId(text);
      if (parsed !== undefined) await removeUpload(ctx, OWNER, parsed);
    };
    await remove(one.id);
    expect((await fetch(`${of}/media/${one.id}?size=96`)).status).toBe(404);
    expect((await storedFiles(own.folder)).contents).toHaveLength(3);
    expect((await fetch(`${of}/media/${two.id}?size=96`)).status).toBe(200);
    await remove(two.id);
    expect(await storedFiles(own.folder)).toEqual({ contents: [], incoming: [] });
    const { reader } = ctx.database;
    expect(await reader.selectFrom('contents').select('blob_key').execute()).toEqual([]);
    expect(await reader.selectFrom('media_variants').select('blob_key').execute()).toEqual([]);
  });

  test.each(['lost', 'damaged'] as const)(
    'variants are made again if their bytes are %s',
    async (how) => {
      const seed = how === 'lost' ? 5 : 6;
      const bytes = await photograph({ width: 640, height: 480, seed });
      const own = await upload(files, bytes, 'a.jpg');
      const first = await (await media(own.id, '?size=400')).bytes();
      const [key] = await variantsOf(own.id);
      const path = withPath(key ?? '');
      if (how === 'lost') await rm(path);
      else await writeFile(path, 'x');
      const again = await media(own.id, '?size=400');
      expect([again.status, await again.bytes()]).toEqual([200, first]);
      expect(await variantsOf(own.id)).toEqual([key ?? null]);
    },
  );

  test('variants of a lost picture are a NotFoundError, and count for nobody who uploads', async () => {
    const bytes = await photograph({ width: 320, height: 240, seed: 7 });
    const own = await upload(files, bytes, 'a.jpg');
    const form = encodeForm(filePart('x', 'a.txt'));
    const sent = async () =>
      Number((await postForm(`${files}/`, form)).headers.get('x-ratelimit-sent-bytes'));
    const before = await sent();
    await (await media(own.id, '?size=96')).bytes();
    expect((await sent()) - before).toBe(1);
    await using ctx = await openTestContext(instance);
    const row = await ctx.database.reader
      .selectFrom('uploads')
      .select('blob_key')
      .where('id', '=', own.id as Id)
      .executeTakeFirstOrThrow();
    await rm(withPath(row.blob_key));
    expect((await media(own.id, '?size=400')).status).toBe(404);
  });
});

test('[FS42] a picture that takes too much memory is stored as any other, and served as it is', async () => {
  const vast = await readFile(join(import.meta.dir, 'fixtures/hostile/vast.avif'));
  const data = await upload(files, vast, 'vast.avif');
  expect(data.metadata).toEqual({ type: 'image', width: 8_190, height: 8_190 });
  expect(data.placeholder).toBeUndefined();
  const answer = await media(data.id, '?size=96', CHROMIUM);
  expect(answer.status).toBe(200);
  expect(Buffer.from(await answer.bytes()).equals(vast)).toBe(true);
});
