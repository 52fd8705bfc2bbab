import {
  ATTACHMENTS_BUCKET,
  joinUrl,
  MEDIA_PATH,
  parseId,
  STATIC_BUCKET,
  type FileData,
} from '@hearth/protocol';
import { receivedFileData } from '@hearth/protocol/received';
import { downloadedFile } from './download.ts';
import { outcomeOf, type Http, type HttpRequest } from './http.ts';
import { throwLater } from './throw-later.ts';
import type { DownloadedFile, RequestOptions } from './types.ts';
import type { UploadProgress, UploadTransport } from './uploads/transport.ts';
import { withQuery } from './urls.ts';

export interface UploadOptions extends RequestOptions {
  /** Default: the name of the File, or `file`. */
  readonly name?: string | undefined;
  readonly spoiler?: boolean | undefined;
  /**
   * Removes metadata, such as where a photograph was taken, before the file is stored. Only instances with the feature
   * `strip` do so.
   */
  readonly strip?: boolean | undefined;
  /** Called with the progress; starts from 0 again if the limit refused the upload and it is repeated. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** The key that a file needs that was uploaded with a token. */
export interface FileKey {
  /** The `key` of its FileData; files without one need none. */
  readonly key?: string | undefined;
}

/** Which part of a file to fetch, and from where. */
export interface FetchOptions extends RequestOptions, FileKey {
  /** Default: the attachments. */
  readonly bucket?: string | undefined;
  /** Bytes from `from` to `to`, both included; without `to` up to the end. */
  readonly range?: { readonly from: number; readonly to?: number } | undefined;
}

/** Which version of a file to fetch, and which part of it. */
export interface MediaOptions extends Omit<FetchOptions, 'bucket'> {
  /** One of the instance's `media_sizes`: the most pixels of a picture's longer side. Default: the file as it is. */
  readonly size?: number | undefined;
}

/** Which version of a file a page shows. */
export type MediaUrlOptions = Pick<MediaOptions, 'size' | 'key'>;

/** Which address of a file is asked for. */
export interface FileUrlOptions extends FileKey {
  readonly bucket?: string | undefined;
  /** True for the address of the form that browsers save and do not show. */
  readonly download?: boolean;
}

/** The addresses of the file service, and how to reach it. */
export interface FilesOptions {
  readonly http: Http;
  /** The address at which this client reaches it. */
  readonly baseUrl: string;
  /** The address that the instance publishes. */
  readonly publishedUrl: string;
  /** The addresses at which it also is, or was. */
  readonly otherUrls: readonly string[];
  readonly transport: UploadTransport;
}

/** The file service of an instance. Every request waits for its limit. */
export class FilesClient {
  readonly #options: FilesOptions;

  constructor(options: FilesOptions) {
    this.#options = options;
  }

  /**
   * The address of a file's content, to be put into a message; with `download`, of the form that browsers save and do not
   * show. With its `key`, everyone who has the address can open the file.
   *
   * @example client.files.url(data.id, { key: data.key })
   */
  url(id: string, { bucket, download = false, key }: FileUrlOptions = {}): string {
    const { publishedUrl } = this.#options;
    const segments = [...segmentsOf(id, bucket), ...(download ? ['download'] : [])];
    return withQuery(joinUrl(publishedUrl, ...segments), { key });
  }

  /**
   * Returns the address at which this client itself reaches the file, which may differ in a page that uses its own
   * origin.
   */
  ownUrl(id: string, { bucket, download = false, key }: FileUrlOptions = {}): string {
    return this.#fileUrl(id, { bucket, key }, download ? ['download'] : []);
  }

  /**
   * The address of a file that a page shows, or of a picture in one of the instance's `media_sizes`. Only for instances
   * with the feature `media`; a page may fetch many more of these than of {@link FilesClient.url}.
   *
   * @example <img src={client.files.mediaUrl(id, { size: 400 })}>
   */
  mediaUrl(id: string, { size, key }: MediaUrlOptions = {}): string {
    return withQuery(joinUrl(this.#options.baseUrl, MEDIA_PATH, id), { size, key });
  }

  /** The id in the address of an attachment of this instance; undefined if `url` is not such an address. */
  idOf(url: string): string | undefined {
    const { publishedUrl, baseUrl, otherUrls } = this.#options;
    if (!URL.canParse(url)) return undefined;
    for (const base of new Set([publishedUrl, baseUrl, ...otherUrls])) {
      const id = idBelow(base, new URL(url));
      if (id !== undefined) return id;
    }
    return undefined;
  }

  /** The key in the address of an attachment of this instance; undefined if `url` has none. */
  keyOf(url: string): string | undefined {
    if (this.idOf(url) === undefined) return undefined;
    return new URL(url).searchParams.get('key') ?? undefined;
  }

  /**
   * Uploads a file as a stream and resolves with its metadata. Waits if the limit has too few requests or bytes left, but
   * throws a FileSizeRateLimitedError at once if the file is larger than the whole limit. If somebody is signed in, the
   * metadata has the `key` that everything else needs. Throws ValidationError for `file` if there is no room for it.
   */
  upload(file: Blob, options: UploadOptions = {}): Promise<FileData> {
    const { http, transport, baseUrl } = this.#options;
    const { signal, spoiler = false, strip = false, name = nameOf(file) } = options;
    const url = joinUrl(baseUrl, ATTACHMENTS_BUCKET);
    const request = { url, bucket: 'attachments', signal } as const;
    return http.limited(request, file.size, async (guard, headers) => {
      const answer = await transport({
        url,
        file,
        name,
        spoiler,
        strip,
        headers,
        signal: guard.signal,
        onProgress: (progress) => {
          if (guard.signal.aborted) return;
          guard.touch();
          report(options.onProgress, progress);
        },
      });
      guard.end();
      return outcomeOf(answer, receivedFileData);
    });
  }

  /** The metadata of a file. */
  data(
    id: string,
    { bucket, key, signal }: RequestOptions & Omit<FileUrlOptions, 'download'> = {},
  ): Promise<FileData> {
    const url = this.#fileUrl(id, { bucket, key }, ['data']);
    return this.#options.http.json({ url, bucket: 'fetch_file', signal }, receivedFileData);
  }

  /** A file's content; resolves when it begins to arrive. */
  fetch(id: string, { bucket, key, range, signal }: FetchOptions = {}): Promise<DownloadedFile> {
    const url = this.#fileUrl(id, { bucket, key }, ['download']);
    return this.#download({ url, bucket: 'fetch_file', signal, headers: rangeHeaders(range) });
  }

  /** The content at {@link FilesClient.mediaUrl}; resolves when it begins to arrive. */
  media(id: string, { size, key, range, signal }: MediaOptions = {}): Promise<DownloadedFile> {
    const url = this.mediaUrl(id, { size, key });
    return this.#download({ url, bucket: 'fetch_media', signal, headers: rangeHeaders(range) });
  }

  /** The content of a static file; resolves when it begins to arrive. */
  fetchStatic(name: string, { signal }: RequestOptions = {}): Promise<DownloadedFile> {
    const url = joinUrl(this.#options.baseUrl, STATIC_BUCKET, name, 'download');
    return this.#download({ url, bucket: 'fetch_file', signal });
  }

  async #download(request: HttpRequest): Promise<DownloadedFile> {
    const { response, guard } = await this.#options.http.open(request);
    return downloadedFile(response, guard);
  }

  #fileUrl(
    id: string,
    { bucket, key }: Omit<FileUrlOptions, 'download'>,
    rest: readonly string[],
  ): string {
    const url = joinUrl(this.#options.baseUrl, ...segmentsOf(id, bucket), ...rest);
    return withQuery(url, { key });
  }
}

function rangeHeaders(range: FetchOptions['range']): Readonly<Record<string, string>> {
  return range === undefined ? {} : { Range: `bytes=${range.from}-${range.to ?? ''}` };
}

function report(listener: UploadOptions['onProgress'], progress: UploadProgress): void {
  try {
    listener?.(progress);
  } catch (error) {
    throwLater(error);
  }
}

function nameOf(file: Blob): string {
  return 'name' in file && typeof file.name === 'string' && file.name !== '' ? file.name : 'file';
}

function segmentsOf(id: string, bucket: string | undefined): readonly string[] {
  return bucket === undefined || bucket === ATTACHMENTS_BUCKET ? [id] : [bucket, id];
}

function idBelow(base: string, { origin, pathname }: URL): string | undefined {
  if (!URL.canParse(`${base}/`)) return undefined;
  const own = new URL(`${base}/`);
  if (origin !== own.origin || !pathname.startsWith(own.pathname)) return undefined;
  const segments = pathname.slice(own.pathname.length).replace(/\/$/, '').split('/');
  const [first = '', second = ''] = segments;
  if (first === MEDIA_PATH) return segments.length === 2 ? parseId(second) : undefined;
  const path = first === ATTACHMENTS_BUCKET ? segments.slice(1) : segments;
  const [id = '', last = 'download', ...more] = path;
  return last === 'download' && more.length === 0 ? parseId(id) : undefined;
}
