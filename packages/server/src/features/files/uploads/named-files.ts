import {
  ATTACHMENTS_BUCKET,
  MEDIA_PATH,
  MOST_ATTACHMENTS,
  parseId,
  type FileData,
  type Id,
} from '@hearth/protocol';
import { ANY_HOST } from '../../../config/component-addresses.ts';
import type { Context } from '../../../context.ts';
import { ChangeCache } from '../../../ports/database/change-cache.ts';
import { describeUpload } from './describe-upload.ts';
import { isItsKey, isOpenTo } from './access-to.ts';
import { selectServed, type ServedUpload } from './served-store.ts';

const HOST_PATTERN = String.raw`(?:\[[\da-fA-F:.]{2,45}\]|[^\s/?#@:\[\]]{1,253})`;

/** A number in a path. Which host the address has does not matter, because an instance may have had several. */
const NUMBER_IN_PATH = /(?<!\/)\/(\d{1,39})(?!\w)/g;

/** Files of which the data is kept. */
const MOST_KEPT = 4_096;

const MOST_KEYS = 20;

/** The key in the query of an address. */
const KEY = /(?:^|&)key=([\w-]+)/;

/** The files that a text names, and the keys with which it does so. */
type Named = ReadonlyMap<Id, readonly string[]>;

/**
 * The files of this instance that texts name by their addresses. What was read of them is kept until any process changes
 * it.
 */
export class NamedFiles {
  readonly #database: Context['database'];
  /** Fixed parts of the addresses: each address has at least one of these. */
  readonly #marks: readonly string[];
  readonly #address: RegExp;
  readonly #known: ChangeCache<Id, ServedUpload>;

  constructor({ database, fileAddresses }: Pick<Context, 'database' | 'fileAddresses'>) {
    this.#database = database;
    this.#known = new ChangeCache(database, 'content', { max: MOST_KEPT });
    const bases = fileAddresses.map(baseOf);
    this.#marks = bases.map(({ mark }) => mark);
    const base = `(?:${bases.map(({ pattern }) => pattern).join('|')})`;
    const path = `(?:${ATTACHMENTS_BUCKET}/|${MEDIA_PATH}/)?`;
    this.#address = new RegExp(
      `${base}${path}(\\d{1,39})(?![\\w%-])(?:/download|/data)?(?:\\?([\\w=&-]*))?`,
      'g',
    );
  }

  /** Returns whether a text may name files. Most do not, so this costs no more than searching the text. */
  mayBeIn(text: string): boolean {
    return text.includes('://') && this.#marks.some((mark) => text.includes(mark));
  }

  /** A text without the addresses of files. */
  without(text: string): string {
    return this.mayBeIn(text) ? text.replaceAll(this.#address, ' ') : text;
  }

  /**
   * For each text, the files that it names, each once and in the order of the text, at most {@link MOST_ATTACHMENTS}.
   * Those that do not exist are left out, and so are those whose address lacks their key. Reads the database once.
   */
  async in(texts: readonly string[]): Promise<readonly (readonly FileData[])[]> {
    const named = texts.map((text) => this.#namedIn(text));
    const wanted = new Set(named.flatMap((files) => [...files.keys()]));
    if (wanted.size === 0) return named.map(() => []);
    const found = await this.#find(wanted);
    return named.map((files) =>
      Array.from(files).flatMap(([id, keys]) => shownTo(keys, found.get(id)) ?? []),
    );
  }

  #namedIn(text: string): Named {
    const named = new Map<Id, string[]>();
    if (!this.mayBeIn(text)) return named;
    for (const [, digits = '', query = ''] of text.matchAll(this.#address)) {
      const id = parseId(digits);
      const [, key] = KEY.exec(query) ?? [];
      if (id === undefined) continue;
      const keys = named.get(id) ?? [];
      if (key !== undefined && keys.length < MOST_KEYS) keys.push(key);
      named.set(id, keys);
      if (named.size === MOST_ATTACHMENTS) break;
    }
    return named;
  }

  async #find(wanted: ReadonlySet<Id>): Promise<ReadonlyMap<Id, ServedUpload>> {
    const found = new Map<Id, ServedUpload>();
    const missing: Id[] = [];
    for (const id of wanted) {
      const known = this.#known.get(id);
      if (known === undefined) missing.push(id);
      else found.set(id, known);
    }
    if (missing.length === 0) return found;
    const remember = this.#known.reading();
    const uploads = await selectServed(this.#database.reader, ATTACHMENTS_BUCKET, missing);
    remember(
      uploads.map((upload) => {
        const madeFrom = [upload.blobKey, ...upload.goesWith];
        return { key: upload.id, value: upload, madeFrom };
      }),
    );
    for (const upload of uploads) found.set(upload.id, upload);
    return found;
  }
}

export interface KeepsNamedFiles {
  readonly namedFiles: NamedFiles;
}

/** A file that was named with these keys, if one of them is its own or it needs none. */
function shownTo(keys: readonly string[], upload: ServedUpload | undefined): FileData | undefined {
  if (upload === undefined) return undefined;
  const key = keys.find((each) => isItsKey(upload, each));
  if (!isOpenTo(upload, key)) return undefined;
  return describeUpload(key === undefined ? { ...upload, key: null } : upload);
}

/** The means to find the address of the file service, with a slash at its end, in texts. */
interface Base {
  readonly pattern: string;
  /** The fixed part of it. */
  readonly mark: string;
}

function baseOf(address: string): Base {
  const { origin, protocol, hostname, host, pathname } = new URL(address);
  const path = `${pathname.replace(/\/+$/, '')}/`;
  if (hostname !== ANY_HOST) return { pattern: RegExp.escape(origin + path), mark: origin + path };
  const mark = host.slice(ANY_HOST.length) + path;
  return { pattern: `${protocol}//${HOST_PATTERN}${RegExp.escape(mark)}`, mark };
}

/** The identifiers that a text may name uploads by: the numbers in the paths of its addresses. */
export function namedIds(text: string): ReadonlySet<Id> {
  const ids = new Set<Id>();
  for (const [, digits = ''] of text.matchAll(NUMBER_IN_PATH)) {
    const id = parseId(digits);
    if (id !== undefined) ids.add(id);
  }
  return ids;
}
