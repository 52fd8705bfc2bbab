import { NetworkError } from '../errors.ts';
import { deferred } from '../deferred.ts';
import type { UploadAnswer, UploadTransport } from './transport.ts';

/** Uploads through XMLHttpRequest, in browsers: nothing else reports progress there. */
export const xhrUpload: UploadTransport = async ({
  url,
  file,
  name,
  spoiler,
  strip,
  headers: given,
  signal,
  onProgress,
}) => {
  const { promise, resolve, reject } = deferred<UploadAnswer>();
  const request = new XMLHttpRequest();
  const form = new FormData();
  if (spoiler) form.append('spoiler', 'true');
  if (strip) form.append('strip', 'true');
  form.append('file', file, name);
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    // These count the form; the file is all of it but the beginning and the end.
    const share = total === 0 ? 0 : loaded / total;
    onProgress({ sentBytes: Math.floor(share * file.size), totalBytes: file.size });
  });
  request.addEventListener('load', () => {
    const headers = { get: (header: string) => request.getResponseHeader(header) };
    resolve({ status: request.status, headers, text: request.responseText });
  });
  request.addEventListener('error', () =>
    reject(new NetworkError('The connection broke during the upload')),
  );
  request.addEventListener('abort', () => reject(signal.reason));
  const onAbort = () => request.abort();
  signal.addEventListener('abort', onAbort);
  try {
    request.open('POST', url);
    if (signal.aborted) throw signal.reason;
    for (const [header, value] of Object.entries(given)) request.setRequestHeader(header, value);
    request.send(form);
    return await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
};
