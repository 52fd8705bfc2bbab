/** A part of a list. */
export interface Page<Entry> {
  readonly entries: readonly Entry[];
  /** Pass it as `cursor` to get the next page; undefined if there is none. */
  readonly next: string | undefined;
}

/** Which part of a list. */
export interface PageQuery {
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
  /** The largest number of entries to return: 1 to 100, 50 by default. */
  readonly limit?: number | undefined;
}

/** The page of an answer. */
export function pageOf<Entry>({
  answer,
  headers,
}: {
  readonly answer: readonly Entry[];
  readonly headers: Headers;
}): Page<Entry> {
  return { entries: answer, next: nextIn(headers).get('cursor') ?? undefined };
}

/** The query of the next page's address, which a Link header has (RFC 8288). */
export function nextIn(headers: Headers): URLSearchParams {
  const [, address = ''] = /<([^>]*)>\s*;[^,]*rel="?next\b/i.exec(headers.get('Link') ?? '') ?? [];
  return new URLSearchParams(address.slice(address.indexOf('?') + 1));
}

/** Every entry of a list, page by page: the next page is requested when it is needed. */
export async function* entriesOf<Entry>(
  read: (cursor: string | undefined) => Promise<Page<Entry>>,
): AsyncGenerator<Entry, void, undefined> {
  let cursor: string | undefined;
  do {
    const { entries, next } = await read(cursor);
    yield* entries;
    cursor = next;
  } while (cursor !== undefined);
}
