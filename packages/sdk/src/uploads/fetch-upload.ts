import type { ClientOptions } from '../types.ts';
import { multipartFrame } from './multipart-body.ts';
import type { UploadAnswer, UploadRequest, UploadTransport } from './transport.ts';

/** Every request with a streamed body needs `duplex`, which the DOM's types still lack. */
type StreamedRequest = RequestInit & { readonly duplex: 'half' };

/** No more of the answer to an upload is read: FileData and errors are small. */
const MOST_ANSWER_BYTES = 1024 * 1024;

/** The largest number of bytes that are sent between two reports of progress. */
const PIECE_BYTES = 64 * 1024;

/** Uploads through `fetch` with a streamed body, outside of browsers: the whole file is never in memory. */
export function fetchUpload(fetch: NonNullable<ClientOptions['fetch']>): UploadTransport {
  return async (request) => {
    const { contentType, head, tail } = multipartFrame(request);
    const size = head.byteLength + request.file.size + tail.byteLength;
    const init: StreamedRequest = {
      method: 'POST',
      body: streamed(bodyChunks(request, head, tail)),
      duplex: 'half',
      // A stream cannot be sent again to another address. And unless both are set, Node keeps a copy of everything it sent
      // for that case (nodejs/undici#4058).
      redirect: 'error',
      window: null,
      // So the instance knows at once whether the file fits.
      headers: {
        ...request.headers,
        'Content-Type': contentType,
        'Content-Length': String(size),
      },
      signal: request.signal,
    };
    const response = await fetch(request.url, init);
    return answerOf(response);
  };
}

async function answerOf(response: Response): Promise<UploadAnswer> {
  const { status, headers, body } = response;
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    size += chunk.byteLength;
    if (size > MOST_ANSWER_BYTES) break;
  }
  return { status, headers, text: text + decoder.decode() };
}

/** The form's bytes; a request for the next chunk means that the previous ones were sent. */
async function* bodyChunks(
  { file, onProgress }: UploadRequest,
  head: Uint8Array<ArrayBuffer>,
  tail: Uint8Array<ArrayBuffer>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const totalBytes = file.size;
  yield head;
  let sentBytes = 0;
  const reader = file.stream().getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      // A file that is already in memory comes as one chunk.
      for (let at = 0; at < read.value.byteLength; at += PIECE_BYTES) {
        const piece = read.value.subarray(at, at + PIECE_BYTES);
        yield piece;
        sentBytes += piece.byteLength;
        onProgress({ sentBytes, totalBytes });
      }
    }
  } finally {
    await reader.cancel();
  }
  yield tail;
}

function streamed(
  chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
