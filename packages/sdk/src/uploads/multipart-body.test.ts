import { expect, test } from 'bun:test';
import { multipartFrame } from './multipart-body.ts';

function headOf(
  name: string,
  type = 'text/plain',
  spoiler = false,
  strip = false,
): readonly string[] {
  const file = new Blob(['x']);
  Object.defineProperty(file, 'type', { value: type });
  const { head, tail, contentType } = multipartFrame({ file, name, spoiler, strip });
  const boundary = contentType.replace('multipart/form-data; boundary=', '');
  expect(new TextDecoder().decode(tail)).toBe(`\r\n--${boundary}--\r\n`);
  return new TextDecoder().decode(head).replaceAll(boundary, 'B').split('\r\n');
}

test.each([
  ['a b.txt', 'a b.txt'],
  ['ä語👋', 'ä語👋'],
  ['"\r\n', '%22%0D%0A'],
  ['100%22', '100%22'],
  ['\\"', '\\%22'],
  ['\ud83d', '\ufffd'],
])('the name %j is written as browsers write it', (name, written) => {
  expect(headOf(name)).toEqual([
    '--B',
    `Content-Disposition: form-data; name="file"; filename="${written}"`,
    'Content-Type: text/plain',
    '',
    '',
  ]);
});

test.each(['', 'text/plain\r\nX: y', 'naïve/type'])(
  'a type that is not valid is sent as that of any file: %j',
  (type) => {
    expect(headOf('a', type)[2]).toBe('Content-Type: application/octet-stream');
  },
);

test('a spoiler is a separate part', () => {
  expect(headOf('a', 'text/plain', true).slice(0, 5)).toEqual([
    '--B',
    'Content-Disposition: form-data; name="spoiler"',
    '',
    'true',
    '--B',
  ]);
});

test('a form without metadata asks for that before its file', () => {
  const lines = headOf('a', 'text/plain', false, true);
  expect(lines.slice(0, 5)).toEqual([
    '--B',
    'Content-Disposition: form-data; name="strip"',
    '',
    'true',
    '--B',
  ]);
});

test('no two forms have the same boundary', () => {
  const form = { file: new Blob(['x']), name: 'a', spoiler: false, strip: false };
  expect(multipartFrame(form).contentType).not.toBe(multipartFrame(form).contentType);
});
