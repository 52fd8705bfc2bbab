import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { encodeForm, postForm, readFileData, upload } from '@hearth/testing/clients/upload-form';

let instance: TestInstance;
let files: string;

beforeAll(async () => {
  instance = await startTestInstance();
  files = instance.addresses.files;
});

afterAll(() => instance[Symbol.asyncDispose]());

describe('[FD9][FS21] the name of a file', () => {
  test.each<[sent: string, name: string]>([
    ['hills.jpg', 'hills.jpg'],
    ['холмы 山 💾.jpg', 'холмы 山 💾.jpg'],
    ['a %22quoted%22.txt', 'a "quoted".txt'],
    ['a \\"quoted\\".txt', 'a "quoted".txt'],
    ['100% %41 %zz.txt', '100% %41 %zz.txt'],
    ['C:\\pictures\\hills.jpg', 'hills.jpg'],
    ['../../../etc/passwd', 'passwd'],
    ['..', 'file'],
    ['', 'file'],
    [' \u0001\u007f ', 'file'],
    ['line%0D%0ASet-Cookie: x=y', 'lineSet-Cookie: x=y'],
    [
      "it's; a=b, (c) <d> [e] {f}@g:h?=&#~`$!*^|+.txt",
      "it's; a=b, (c) <d> [e] {f}@g:h?=&#~`$!*^|+.txt",
    ],
    ['photo\u202egnp.exe', 'photognp.exe'],
    ['\ufeffbom.txt', 'bom.txt'],
    ['e\u0301', 'e\u0301'],
    [`${'山'.repeat(200)}.png`, '山'.repeat(85)],
  ])('%j comes back in the FileData and in the Content-Disposition', async (sent, name) => {
    const data = await upload(files, 'x', sent);
    expect(data.name).toBe(name);
    for (const [path, type] of [
      ['', 'inline'],
      ['/download', 'attachment'],
    ]) {
      const answer = await fetch(`${files}/${data.id}${path}`);
      expect(answer.status).toBe(200);
      const header = answer.headers.get('content-disposition') ?? '';
      expect(header.startsWith(`${type}; filename`)).toBe(true);
      expect(nameIn(header)).toBe(name);
    }
  });

  test('that is not text is accepted', async () => {
    const head = Buffer.from(
      'Content-Disposition: form-data; name="file"; filename="na\xefve\xff"',
      'latin1',
    );
    const { contentType, body } = encodeForm({ head: 'HEAD', data: 'x' });
    const at = body.indexOf('HEAD');
    const parts = [body.subarray(0, at), head, body.subarray(at + 'HEAD'.length)];
    const data = await readFileData(
      await postForm(files, { contentType, body: Buffer.concat(parts) }),
    );
    expect(data.name).toBe('na\ufffdve\ufffd');
    expect((await fetch(`${files}/${data.id}`)).status).toBe(200);
  });
});

/** The name that a client reads from a Content-Disposition: the extended one (RFC 8187), or else the plain one (RFC 6266). */
function nameIn(header: string): string | undefined {
  expect(header).toMatch(/^[ -~]+$/);
  const extended = /filename\*=UTF-8''([!#$&+.^_`|~A-Za-z0-9%-]+)$/.exec(header)?.[1];
  if (extended !== undefined) return decodeURIComponent(extended);
  const quoted = /filename="((?:[^"\\]|\\.)*)"$/.exec(header)?.[1];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? /filename=([^\s;"]+)$/.exec(header)?.[1];
}

test('[FD10] a name of more than 255 bytes is cut, and the file is served with the cut name', async () => {
  const data = await upload(files, 'x', `${'x'.repeat(254)}é.txt`);
  expect(data.name).toBe('x'.repeat(254));
  const answer = await fetch(`${files}/${data.id}`);
  expect(answer.headers.get('content-disposition')).toBe(`inline; filename=${data.name}`);
});
