import { ElsewhereError, JobFailedError } from '../../platform/jobs/jobs.ts';
import type { Context } from '../../../context.ts';
import { HEARTH_VERSION } from '../../../lib/version.ts';
import { OutboundError } from '../../../lib/outbound/outbound-error.ts';
import type { Outbound, OutboundAnswer, OutboundHead } from '../../../lib/outbound/outbound.ts';
import { decodePage } from './decode-page.ts';
import { readPage } from './read-page.ts';
import { NO_PREVIEW, type PreviewContent } from './stored-preview.ts';

/** The number of bytes of a page that are read. */
const MOST_PAGE_BYTES = 512 * 1_024;

/** A larger picture is not shown. */
const MOST_PICTURE_BYTES = 5 * 1_024 ** 2;

const TIMEOUT_MS = 10_000;
const MOST_REDIRECTS = 5;

const PAGES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

export interface FoundPreview {
  readonly content: PreviewContent;
  /** Files that may be its picture, the preferred one first. Each is requested when it is asked for. */
  readonly pictures: AsyncIterable<Uint8Array> | readonly Uint8Array[];
}

export interface Fetching {
  readonly outbound: Outbound;
  readonly settings: Context['settings'];
  readonly signal: AbortSignal;
}

/**
 * Fetches what there is to see at an address. Throws JobFailedError if it has nothing for us, and any other error if it
 * may have something later.
 */
export async function fetchPreview(url: string, fetching: Fetching): Promise<FoundPreview> {
  const answer = await get(url, fetching);
  const type = typeOf(answer);
  if (type.startsWith('image/')) {
    return { content: { ...NO_PREVIEW, state: 'ready' }, pictures: [answer.body] };
  }
  if (!PAGES.has(type)) return { content: NO_PREVIEW, pictures: [] };
  const html = decodePage(answer.body, answer.headers['content-type'] ?? '');
  const {
    title = '',
    description = '',
    siteName: site_name = '',
    pictures,
  } = readPage(html, answer.url);
  const content = { state: 'ready', title, description, site_name } as const;
  return { content, pictures: picturesAt(pictures, fetching) };
}

/** Requests the pictures at these addresses. Addresses where there is none are left out. */
async function* picturesAt(
  urls: readonly string[],
  fetching: Fetching,
): AsyncGenerator<Uint8Array, void> {
  for (const url of urls) {
    try {
      const answer = await get(url, fetching);
      if (typeOf(answer).startsWith('image/')) yield answer.body;
    } catch (error) {
      fetching.signal.throwIfAborted();
      if (!(error instanceof ElsewhereError) && !(error instanceof JobFailedError)) throw error;
    }
  }
}

async function get(url: string, { outbound, settings, signal }: Fetching): Promise<OutboundAnswer> {
  const answer = await ask(url, { outbound, settings, signal });
  const { status } = answer;
  if (status === 429 || status >= 500) throw new ElsewhereError(`the server answers ${status}`);
  if (status !== 200) throw new JobFailedError(`the server answers ${status}`);
  // Accept-Encoding allows none.
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new JobFailedError('the answer is compressed');
  const isCut = answer.body.length > MOST_PICTURE_BYTES;
  if (isCut) throw new JobFailedError('the picture is too large');
  return answer;
}

async function ask(url: string, { outbound, settings, signal }: Fetching): Promise<OutboundAnswer> {
  const { publicUrl } = settings;
  const about = publicUrl === undefined ? '' : `; +${publicUrl}`;
  try {
    return await outbound(url, {
      publicHeaders: {
        'User-Agent': `Hearth/${HEARTH_VERSION} (link previews${about})`,
        Accept: 'text/html, application/xhtml+xml, image/*;q=0.9, */*;q=0.1',
        'Accept-Encoding': 'identity',
      },
      mostBytes: mostBytesOf,
      largerBody: 'cut',
      mostRedirects: MOST_REDIRECTS,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
  } catch (cause) {
    const isFinal =
      cause instanceof OutboundError &&
      (cause.reason === 'refused' || cause.reason === 'too_many_redirects');
    if (isFinal) throw new JobFailedError(cause.message, { cause });
    if (cause instanceof OutboundError) throw new ElsewhereError(cause.message, { cause });
    throw cause;
  }
}

function mostBytesOf(head: OutboundHead): number {
  if (head.status !== 200) return 0;
  const type = typeOf(head);
  if (PAGES.has(type)) return MOST_PAGE_BYTES;
  // One more, which shows that it is cut.
  return type.startsWith('image/') ? MOST_PICTURE_BYTES + 1 : 0;
}

function typeOf({ headers }: OutboundHead): string {
  return (headers['content-type'] ?? '').split(';', 1).join('').trim().toLowerCase();
}
