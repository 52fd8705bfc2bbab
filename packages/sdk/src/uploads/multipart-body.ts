import type { UploadRequest } from './transport.ts';

/** A form as it is sent: the bytes before and after those of the file. */
export interface MultipartFrame {
  readonly contentType: string;
  readonly head: Uint8Array<ArrayBuffer>;
  readonly tail: Uint8Array<ArrayBuffer>;
}

/** The form for one file, written as browsers write it. */
export function multipartFrame({
  file,
  name,
  spoiler,
  strip,
}: Pick<UploadRequest, 'file' | 'name' | 'spoiler' | 'strip'>): MultipartFrame {
  // Random, so that no file can contain the end of the form.
  const boundary = `----hearth-${crypto.randomUUID()}`;
  const encoder = new TextEncoder();
  const flag = (field: string, isSet: boolean) =>
    isSet ? [`--${boundary}`, `Content-Disposition: form-data; name="${field}"`, '', 'true'] : [];
  const head = [
    ...flag('spoiler', spoiler),
    ...flag('strip', strip),
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename="${escapedName(name)}"`,
    `Content-Type: ${contentTypeOf(file)}`,
    '',
    '',
  ].join('\r\n');
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    head: encoder.encode(head),
    tail: encoder.encode(`\r\n--${boundary}--\r\n`),
  };
}

/** As in the HTML standard: UTF-8, with the characters that would end the value or the line percent-encoded. */
function escapedName(name: string): string {
  return name.toWellFormed().replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}

function contentTypeOf({ type }: Blob): string {
  return /^[\x20-\x7e]+$/.test(type) ? type : 'application/octet-stream';
}
