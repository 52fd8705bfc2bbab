import type { FileData } from '@hearth/protocol';
import { fileDataSchema } from '@hearth/protocol/schemas';
import { expect } from 'bun:test';

/** A part of a form; the whole head can be given. */
export interface FormPart {
  readonly head: string;
  readonly data: string | Uint8Array;
}

/** A form as it is sent. */
export interface EncodedForm {
  readonly contentType: string;
  readonly body: Buffer<ArrayBuffer>;
}

const BOUNDARY = 'hearth-test-boundary';
const disposition = 'Content-Disposition: form-data';

/** The file part of an upload; `name` is written into the head unchanged. */
export function filePart(data: string | Uint8Array, name = 'file.bin'): FormPart {
  const type = 'Content-Type: application/octet-stream';
  return { head: `${disposition}; name="file"; filename="${name}"\r\n${type}`, data };
}

/** Any other field. */
export function fieldPart(name: string, data: string | Uint8Array): FormPart {
  return { head: `${disposition}; name="${name}"`, data };
}

/** The form made of `parts`. */
export function encodeForm(...parts: readonly FormPart[]): EncodedForm {
  const pieces = parts.flatMap(({ head, data }) => [
    Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`),
    Buffer.from(data),
    Buffer.from('\r\n'),
  ]);
  return {
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
    body: Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]),
  };
}

/** Posts a form to `url`. */
export function postForm(url: string, { contentType, body }: EncodedForm): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'Content-Type': contentType }, body });
}

/** The FileData of an accepted upload. Fails for every other answer. */
export async function readFileData(answer: Response): Promise<FileData> {
  const text = await answer.text();
  expect([answer.status, text]).toEqual([200, text]);
  return fileDataSchema.strict().parse(JSON.parse(text));
}

/** Uploads bytes to the file service at `files` and returns their FileData. */
export async function upload(
  files: string,
  data: string | Uint8Array,
  name?: string,
): Promise<FileData> {
  return readFileData(await postForm(`${files}/attachments`, encodeForm(filePart(data, name))));
}

/** Unique bytes that do not compress and look like no known format. */
export function randomBytes(size: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 65_536) {
    crypto.getRandomValues(bytes.subarray(at, Math.min(size, at + 65_536)));
  }
  // So that the first bytes match no known format.
  bytes.subarray(0, 8).fill(0);
  return bytes;
}
