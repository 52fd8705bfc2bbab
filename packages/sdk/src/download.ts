import { nameInDisposition } from './file-name.ts';
import { NetworkError } from './errors.ts';
import type { Guard } from './guard.ts';
import type { DownloadedFile } from './types.ts';

/** The file in `response`. Its body ends with an error if `guard` ends it or the connection breaks. */
export function downloadedFile(response: Response, guard: Guard): DownloadedFile {
  const { headers } = response;
  const contentType = headers.get('Content-Type') ?? 'application/octet-stream';
  const length = headers.get('Content-Length') ?? '';
  // With a content encoding, the header does not give the length of what is read.
  const isPlain = headers.get('Content-Encoding') === null;
  const body = guardedBody(response, guard);
  return {
    name: nameInDisposition(headers.get('Content-Disposition')),
    contentType,
    sizeBytes: isPlain && /^\d+$/.test(length) ? Number(length) : undefined,
    isPartial: response.status === 206,
    body,
    blob: async () => {
      const content = await new Response(body).blob();
      return new Blob([content], { type: contentType });
    },
  };
}

/** Silence counts only while a reader waits for bytes: a reader may take its time. */
function guardedBody(response: Response, guard: Guard): ReadableStream<Uint8Array<ArrayBuffer>> {
  guard.pause();
  const reader = (response.body ?? new Blob([]).stream()).getReader();
  const end = () => {
    guard.end();
    reader.cancel().catch(() => undefined);
  };
  return new ReadableStream(
    {
      start(controller) {
        guard.signal.addEventListener('abort', () => {
          controller.error(guard.signal.reason);
          end();
        });
      },
      async pull(controller) {
        guard.touch();
        try {
          const read = await guard.race(reader.read());
          guard.pause();
          if (!read.done) return controller.enqueue(read.value);
          end();
          controller.close();
        } catch (error) {
          end();
          if (guard.signal.aborted) return;
          controller.error(
            new NetworkError('The connection broke during the download', { cause: error }),
          );
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
