import { ATTACHMENTS_BUCKET } from '@hearth/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { fixtureBytes } from '@hearth/testing/media/fixtures';
import { storedFiles } from '@hearth/testing/instances/stored-files';
import { RawConnection, rawRequest, requestLines } from '@hearth/testing/clients/raw-http';
import { readValidationError } from '@hearth/testing/clients/read-error';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import {
  encodeForm,
  fieldPart,
  filePart,
  postForm,
  readFileData,
  upload,
  type EncodedForm,
} from '@hearth/testing/clients/upload-form';

const MAX_FILE_BYTES = 1_000_000;
const OVERHEAD_BYTES = 64 * 1024;

let instance: TestInstance;
let files: string;

beforeAll(async () => {
  const toml = `${GENEROUS_LIMITS}\n[effis]\nattachment_file_size = ${MAX_FILE_BYTES}\n`;
  instance = await startTestInstance({ toml });
  files = instance.addresses.files;
});

afterAll(() => instance[Symbol.asyncDispose]());

const post = (form: EncodedForm, path = '/attachments') => postForm(files + path, form);
const postBody = (contentType: string, body: string) =>
  fetch(`${files}/attachments`, { method: 'POST', headers: { 'Content-Type': contentType }, body });
const contentOf = async (path: string) => (await fetch(files + path)).bytes();

/** Posts a body in its own chunks, without Content-Length. */
async function postChunked({ contentType, body }: EncodedForm, chunkBytes: number) {
  using connection = await RawConnection.connect(files);
  const headers = ['Transfer-Encoding: chunked', `Content-Type: ${contentType}`];
  await connection.send(requestLines('POST', '/attachments', ...headers));
  for (let at = 0; at < body.length; at += chunkBytes) {
    const chunk = body.subarray(at, at + chunkBytes);
    const size = Buffer.from(`${chunk.length.toString(16)}\r\n`);
    await connection.send(Buffer.concat([size, chunk, Buffer.from('\r\n')]));
  }
  await connection.send('0\r\n\r\n');
  return await connection.answer();
}

describe('an upload', () => {
  test('[FS1][FS2] an upload of a photograph can be fetched at once, byte for byte', async () => {
    const photograph = await fixtureBytes('baseline.jpg');
    const data = await upload(files, photograph, 'hills.jpg');
    expect(data).toEqual({
      id: expect.stringMatching(/^[1-9]\d*$/),
      name: 'hills.jpg',
      bucket: 'attachments',
      metadata: { type: 'image', width: 67, height: 45 },
      size: photograph.length,
      placeholder: expect.any(String),
    });
    expect(await contentOf(`/attachments/${data.id}`)).toEqual(Uint8Array.from(photograph));
    expect(await contentOf(`/attachments/${data.id}/download`)).toEqual(
      Uint8Array.from(photograph),
    );
  });

  test('[FS1] an upload of a form that a client makes with FormData is accepted', async () => {
    const form = new FormData();
    form.set('spoiler', 'true');
    form.set('file', new File(['good evening'], 'naïve "山".txt', { type: 'image/png' }));
    const answer = await fetch(`${files}/attachments`, { method: 'POST', body: form });
    expect(await readFileData(answer)).toMatchObject({
      name: 'naïve "山".txt',
      spoiler: true,
      metadata: { type: 'text' },
    });
  });

  test.each(['/', '', '//', '/attachments', '/attachments/', '//attachments', '/?a=b'])(
    '[FS4] to %j goes to attachments',
    async (path) => {
      const { bucket } = await readFileData(await post(encodeForm(filePart('x')), path));
      expect(bucket).toBe(ATTACHMENTS_BUCKET);
    },
  );

  test('[FS3][FD1] always has the FileData of the reply, with nothing else in it', async () => {
    const answer = await post(encodeForm(filePart('x', 'a.txt'), fieldPart('spoiler', '1')));
    const text = await answer.text();
    const data = JSON.parse(text);
    expect(Object.keys(data)).toEqual([...['id', 'name', 'bucket', 'spoiler', 'metadata'], 'size']);
    expect(typeof data.id).toBe('string');
    for (const path of [`/attachments/${data.id}/data`, `/${data.id}/data`]) {
      const later = await fetch(files + path);
      expect([later.status, await later.text()]).toEqual([200, text]);
      expect(later.headers.get('content-type')).toBe('application/json');
    }
  });
});

describe('[FS34] strip', () => {
  const secret = 'taken at N 51 30';
  const photographOf = async () => {
    const bytes = await fixtureBytes('rotated-by-exif.jpg');
    const comment = Buffer.concat([
      Buffer.of(0xff, 0xfe, 0, secret.length + 2),
      Buffer.from(secret),
    ]);
    return Buffer.concat([bytes.subarray(0, 2), comment, bytes.subarray(2)]);
  };

  test.each(['first', 'last'])('metadata is removed, if the field comes %s', async (place) => {
    const bytes = await photographOf();
    const [strip, file] = [fieldPart('strip', 'true'), filePart(bytes, 'a.jpg')];
    const form = encodeForm(...(place === 'first' ? [strip, file] : [file, strip]));
    const answer = await post(form);
    expect(Number(answer.headers.get('x-ratelimit-sent-bytes'))).toBeGreaterThanOrEqual(
      bytes.length,
    );
    const data = await readFileData(answer);
    const stored = Buffer.from(await contentOf(`/${data.id}`));
    expect([stored.includes(secret), data.size]).toEqual([false, stored.length]);
    expect(data.metadata).toEqual({ type: 'image', width: 67, height: 45 });
    const plain = await upload(files, bytes, 'a.jpg');
    expect(plain.placeholder).toBe(data.placeholder ?? '');
    expect(Buffer.from(await contentOf(`/${plain.id}`))).toEqual(bytes);
  });

  test('other files stay as they are byte for byte', async () => {
    const form = encodeForm(fieldPart('strip', '1'), filePart(secret, 'a.txt'));
    const { id } = await readFileData(await post(form));
    expect(Buffer.from(await contentOf(`/${id}`)).toString()).toBe(secret);
  });

  test('[FS11] the field is true or false, and nothing else', async () => {
    const form = (value: string) => encodeForm(filePart('x', 'a.txt'), fieldPart('strip', value));
    for (const value of ['no', ' OFF ', 'yes']) await readFileData(await post(form(value)));
    expect((await readValidationError(await post(form('perhaps')))).field).toBe('strip');
  });

  test('[FS20] nothing of the file with its metadata is left', async () => {
    await using own = await startTestInstance();
    const form = encodeForm(fieldPart('strip', 'true'), filePart(await photographOf(), 'a.jpg'));
    await readFileData(await postForm(`${own.addresses.files}/`, form));
    const { contents, incoming } = await storedFiles(own.folder);
    expect([contents.length, incoming]).toEqual([1, []]);
  });
});

describe('[FS14] parts', () => {
  const other = fieldPart('other', 'ignored');
  const twin = { head: 'Content-Disposition: form-data; name="x"; filename="y"', data: 'ignored' };
  const mark = fieldPart('spoiler', 'true');
  const file = filePart('good evening', 'a.txt');

  test.each([
    ['spoiler first', [mark, file]],
    ['spoiler last', [file, mark]],
    ['others around', [other, twin, file, other, mark, twin]],
    ['without heads between', [{ head: '', data: 'x' }, file, { head: '', data: '' }, mark]],
  ])('parts come in any order: %s', async (_order, parts) => {
    const data = await readFileData(await post(encodeForm(...parts)));
    expect(data).toMatchObject({ name: 'a.txt', spoiler: true });
    expect(await contentOf(`/${data.id}`)).toEqual(new TextEncoder().encode('good evening'));
  });

  test('that are not the file may take 64 KiB together', async () => {
    const bytesBeside = encodeForm(file, fieldPart('other', '')).body.length - file.data.length;
    const most = OVERHEAD_BYTES - bytesBeside;
    await readFileData(await post(encodeForm(file, fieldPart('other', 'x'.repeat(most)))));
    await readFileData(await post(encodeForm(fieldPart('other', 'x'.repeat(most)), file)));
    const largest = filePart('x'.repeat(MAX_FILE_BYTES), 'a.txt');
    await readFileData(await post(encodeForm(largest, fieldPart('other', 'x'.repeat(most)))));
    const tooMuch = fieldPart('other', 'x'.repeat(most + 1));
    for (const form of [encodeForm(file, tooMuch), encodeForm(tooMuch, file)]) {
      expect((await readValidationError(await post(form))).field).toBe('body');
    }
  });

  test.each([
    ['one long head', [{ head: `X: ${'x'.repeat(20_000)}`, data: '' }]],
    [
      'many heads',
      Array.from({ length: 10 }, () => ({ head: `X: ${'x'.repeat(7_000)}`, data: '' })),
    ],
    ['very many empty parts', Array.from({ length: 3_000 }, () => ({ head: '', data: '' }))],
    ['a spoiler', [fieldPart('spoiler', ' '.repeat(OVERHEAD_BYTES))]],
    ['much of it', [fieldPart('other', 'x'.repeat(500_000))]],
  ])(
    'that are larger are answered with a ValidationError for the body: %s',
    async (_what, parts) => {
      const answer = await post(encodeForm(...parts, file));
      expect((await readValidationError(answer)).field).toBe('body');
    },
  );

  test('after the end of the form count too', async () => {
    const { contentType, body } = encodeForm(file);
    const trailing = { contentType, body: Buffer.concat([body, Buffer.alloc(OVERHEAD_BYTES)]) };
    expect((await readValidationError(await post(trailing))).field).toBe('body');
    const short = { contentType, body: Buffer.concat([body, Buffer.alloc(1_000)]) };
    await readFileData(await post(short));
  });
});

describe('a spoiler', () => {
  const withSpoiler = (value: string) =>
    post(encodeForm(filePart('x'), fieldPart('spoiler', value)));

  test.each(['true', 'TRUE', '1', 'on', 'On', 'yes', 'YES'])(
    '[FS10][FS11][FD2] a spoiler of %j marks the file',
    async (value) => {
      expect((await readFileData(await withSpoiler(value))).spoiler).toBe(true);
    },
  );

  test.each(['false', 'False', '0', 'off', 'OFF', 'no', 'nO'])(
    '[FS10][FS11][FD2] a spoiler of %j leaves no trace',
    async (value) => {
      expect(await readFileData(await withSpoiler(value))).not.toHaveProperty('spoiler');
    },
  );

  test('[FS10][FD2] that is missing leaves no trace', async () => {
    expect(await upload(files, 'x')).not.toHaveProperty('spoiler');
  });

  test.each(['', 'maybe', '2', 'null', '\xff', 'true;false'])(
    '[FS11] a spoiler of %j is answered with a ValidationError for the spoiler',
    async (value) => {
      const error = await readValidationError(await withSpoiler(value));
      expect(error).toEqual({ field: 'spoiler', error: 'must be true or false' });
    },
  );
});

describe('[FS9] the file', () => {
  const refusal = async (form: EncodedForm) => readValidationError(await post(form));
  const tooLarge = { field: 'file', error: `must be at most ${MAX_FILE_BYTES} bytes` };

  test('may have one byte, and as many as the instance allows', async () => {
    for (const size of [1, MAX_FILE_BYTES]) {
      const bytes = new Uint8Array(size).fill(7);
      const { id } = await upload(files, bytes);
      expect(await contentOf(`/${id}`)).toEqual(bytes);
    }
  });

  test('the file may be sent as a text field, as programs that build the form themselves do', async () => {
    const data = await readFileData(await post(encodeForm(fieldPart('file', 'text'))));
    expect(data).toMatchObject({ name: 'file', metadata: { type: 'text' } });
    expect(Buffer.from(await contentOf(`/${data.id}`)).toString()).toBe('text');
  });

  test('the file is answered with a ValidationError for file if it is one byte too large, announced or not', async () => {
    const form = encodeForm(filePart(new Uint8Array(MAX_FILE_BYTES + 1)));
    expect(await refusal(form)).toEqual(tooLarge);
    expect(await readValidationError(await postChunked(form, 100_000))).toEqual(tooLarge);
  });

  test('the file is answered with a ValidationError for file if it is empty', async () => {
    expect(await refusal(encodeForm(filePart('')))).toEqual({
      field: 'file',
      error: 'must not be empty',
    });
  });

  test.each([
    ['there are no parts', encodeForm()],
    ['there are others only', encodeForm(fieldPart('spoiler', 'true'), fieldPart('other', 'x'))],
    [
      'its part has another name',
      encodeForm({ ...filePart('x'), head: filePart('x').head.replace('"file"', '"File"') }),
    ],
  ])('the file is answered with a ValidationError for file when %s', async (_what, form) => {
    expect(await refusal(form)).toEqual({ field: 'file', error: 'is required' });
  });

  test('the file is answered with a ValidationError for file if there are two', async () => {
    const two = encodeForm(filePart('x', 'a'), filePart('y', 'b'));
    expect(await refusal(two)).toEqual({ field: 'file', error: 'must be one file only' });
  });
});

test.each(['static', 'avatars', 'Attachments', 'attachment', '1', 'a%20b', '山'])(
  '[FS12] an upload to the bucket %j is answered with a ValidationError for the bucket',
  async (bucket) => {
    const answer = await post(encodeForm(filePart('x')), `/${bucket}`);
    expect(answer.headers.has('x-ratelimit-byte-max')).toBe(true);
    expect(await readValidationError(answer)).toEqual({
      field: 'bucket',
      error: 'must be attachments',
    });
  },
);

describe('[FS13] a body is answered with a ValidationError for the body', () => {
  const boundary = 'multipart/form-data; boundary=b';

  test.each([
    ['JSON', 'application/json', '{"file":"x"}'],
    ['a plain file', 'image/png', 'x'],
    ['a URL-encoded form', 'application/x-www-form-urlencoded', 'file=x&spoiler=true'],
    ['another multipart', 'multipart/mixed; boundary=b', '--b\r\n\r\n\r\n--b--'],
    ['without a boundary', 'multipart/form-data', '--b\r\n\r\n\r\n--b--'],
    ['empty', boundary, ''],
    ['one with another boundary', boundary, '--c\r\n\r\n\r\n--c--'],
    ['one with malformed delimiters', boundary, '--b x\r\n\r\n\r\n--b--'],
    [
      'one with bare line feeds',
      boundary,
      encodeForm(filePart('x')).body.toString().replaceAll('\r', ''),
    ],
  ])('if it is %s', async (_what, contentType, body) => {
    expect((await readValidationError(await postBody(contentType, body))).field).toBe('body');
  });

  test('if there is none, and no Content-Type', async () => {
    const answer = await rawRequest(files, requestLines('POST', '/', 'Content-Length: 0'));
    expect((await readValidationError(answer)).field).toBe('body');
  });

  test('if it breaks off before the end of the form', async () => {
    const { contentType, body } = encodeForm(filePart('good evening'), fieldPart('spoiler', '1'));
    for (let end = 0; end < body.length - 2; end += 7) {
      const short = { contentType, body: body.subarray(0, Math.min(end, body.length - 3)) };
      expect((await readValidationError(await post(short))).field).toBe('body');
    }
  });
});

describe('[FS15] an upload without Content-Length', () => {
  const bytes = Buffer.from('good evening\r\n'.repeat(20_000));
  const form = encodeForm(fieldPart('spoiler', 'on'), filePart(bytes, 'a.txt'));

  test.each([1_000, 16_384, 65_537, bytes.length * 2])(
    'an upload is taken in chunks of %d bytes',
    async (size) => {
      const data = await readFileData(await postChunked(form, size));
      expect(data).toMatchObject({ name: 'a.txt', spoiler: true, metadata: { type: 'text' } });
      expect(await contentOf(`/${data.id}`)).toEqual(Uint8Array.from(bytes));
    },
  );

  test('an upload is accepted byte by byte', async () => {
    const small = encodeForm(filePart('\r\n--hearth-test\r\n', 'a.txt'));
    const data = await readFileData(await postChunked(small, 1));
    expect(Buffer.from(await contentOf(`/${data.id}`)).toString()).toBe('\r\n--hearth-test\r\n');
  });
});
