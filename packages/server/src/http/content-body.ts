import type { BlobPlace, RemotePlace } from '../ports/blobs/blobs.ts';
import { partOfFile, wholeFile, type ByteRange } from '../runtime/file-body.ts';
import type { HeaderValues } from './respond.ts';

/** The source of an answer's bytes. */
export type ContentSource = BlobPlace | { readonly at: 'memory'; readonly bytes: Blob };

export interface ContentBytes {
  readonly source: ContentSource;
  readonly sizeBytes: number;
}

export interface ContentBody {
  readonly body: BodyInit;
  readonly headers: HeaderValues;
}

/** The whole content, for a request without a Range. */
export function wholeBody({ source, sizeBytes }: ContentBytes): ContentBody {
  switch (source.at) {
    case 'disk':
      return { body: wholeFile(source.path), headers: {} };
    case 'memory':
      return { body: source.bytes, headers: {} };
    case 'remote':
      return remoteBody(source, { start: 0, end: sizeBytes });
  }
}

/**
 * The whole content although the request has a Range header. The runtime would obey that header by itself unless the
 * answer has a Content-Range. Naming all bytes there protects clients that look at it although the status is 200, such
 * as curl when it resumes a download.
 */
export function wholeBodyDespiteRange(content: ContentBytes): ContentBody {
  const { sizeBytes } = content;
  if (sizeBytes === 0) return { body: '', headers: {} };
  const { body, headers } = wholeBody(content);
  return {
    body,
    headers: { ...headers, ...contentRange({ start: 0, end: sizeBytes }, sizeBytes) },
  };
}

/** A part of the content. Only for 206: with 200 the runtime would apply the Range header again. */
export function partBody({ source, sizeBytes }: ContentBytes, range: ByteRange): ContentBody {
  const headers = contentRange(range, sizeBytes);
  switch (source.at) {
    case 'disk':
      return { body: partOfFile(source.path, range), headers };
    case 'memory':
      return { body: source.bytes.slice(range.start, range.end), headers };
    case 'remote': {
      const { body, headers: lengths } = remoteBody(source, range);
      return { body, headers: { ...headers, ...lengths } };
    }
  }
}

// The runtime sends a stream in chunks and leaves its length out (oven-sh/bun#10507), but HEAD has it all the same.
function remoteBody(place: RemotePlace, range: ByteRange): ContentBody {
  const headers = { 'Content-Length': String(range.end - range.start) };
  return { body: place.read(range), headers };
}

function contentRange({ start, end }: ByteRange, sizeBytes: number): HeaderValues {
  return { 'Content-Range': `bytes ${start}-${end - 1}/${sizeBytes}` };
}
