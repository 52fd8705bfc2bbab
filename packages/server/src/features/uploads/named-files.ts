import {
  ATTACHMENTS_BUCKET,
  MEDIA_PATH,
  MOST_ATTACHMENTS,
  parseId,
  type FileData,
  type Id,
} from '@hearth/protocol';
import { ANY_HOST } from '../../config/component-addresses.ts';
import type { Context } from '../../context.ts';
import { ChangeCache } from '../../ports/database/change-cache.ts';
import { describeUpload } from './describe-upload.ts';
import { selectUploadsOf } from './store.ts';

/** Files of which the data is kept. */
const MOST_KEPT = 4_096;

/**
 * The files of this instance that texts name by their addresses. What was read of them is kept until any process changes
 * it.
 */
export class NamedFiles {
  readonly #database: Context['database'];
  /** What the addresses have in them, each at least one of these. */
  readonly #marks: readonly string[];
  readonly #address: RegExp;
  readonly #known: ChangeCache<Id, FileData>;

  constructor({ database, fileAddresses }: Pick<Context, 'database' | 'fileAddresses'>) {
    this.#database = database;
    this.#known = new ChangeCache(database, 'content', { max: MOST_KEPT });
    const bases = fileAddresses.map(baseOf);
    this.#marks = bases.map(({ mark }) => mark);
    const base = `(?:${bases.map(({ pattern }) => pattern).join('|')})`;
    const path = `(?:${ATTACHMENTS_BUCKET}/|${MEDIA_PATH}/)?`;
    this.#address = new RegExp(`${base}${path}(\\d{1,39})(?![\\w%-])`, 'g');
  }

  /** Whether a text may name files. Most do not, so this costs no more than searching the text. */
  mayBeIn(text: string): boolean {
    return text.includes('://') && this.#marks.some((mark) => text.includes(mark));
  }

  /** A text without the addresses of files. */
  without(text: string): string {
    return this.mayBeIn(text) ? text.replaceAll(this.#address, ' ') : text;
  }

  /**
   * For each text, the files that it names, each once and in the order of the text, at most {@link MOST_ATTACHMENTS}.
   * Those that do not exist are left out. Reads the database once.
   */
  async in(texts: readonly string[]): Promise<readonly (readonly FileData[])[]> {
    const named = texts.map((text) => this.#idsIn(text));
    const wanted = new Set(named.flat());
    if (wanted.size === 0) return named.map(() => []);
    const found = await this.#find(wanted);
    return named.map((ids) => ids.flatMap((id) => found.get(id) ?? []));
  }

  #idsIn(text: string): readonly Id[] {
    if (!this.mayBeIn(text)) return [];
    const ids = new Set<Id>();
    for (const [, digits = ''] of text.matchAll(this.#address)) {
      const id = parseId(digits);
      if (id !== undefined) ids.add(id);
      if (ids.size === MOST_ATTACHMENTS) break;
    }
    return [...ids];
  }

  async #find(wanted: ReadonlySet<Id>): Promise<ReadonlyMap<Id, FileData>> {
    const found = new Map<Id, FileData>();
    const missing: Id[] = [];
    for (const id of wanted) {
      const known = this.#known.get(id);
      if (known === undefined) missing.push(id);
      else found.set(id, known);
    }
    if (missing.length === 0) return found;
    const remember = this.#known.reading();
    const uploads = await selectUploadsOf(this.#database.reader, ATTACHMENTS_BUCKET, missing);
    const read = uploads.map((upload) => ({
      key: upload.id,
      value: describeUpload(upload),
      madeFrom: [upload.blobKey],
    }));
    remember(read);
    for (const { key, value } of read) found.set(key, value);
    return found;
  }
}

/** How the address of the file service, with a slash at its end, is found in texts. */
interface Base {
  readonly pattern: string;
  /** The fixed part of it. */
  readonly mark: string;
}

const HOST_PATTERN = String.raw`(?:\[[\da-fA-F:.]{2,45}\]|[^\s/?#@:\[\]]{1,253})`;

function baseOf(address: string): Base {
  const { origin, protocol, hostname, host, pathname } = new URL(address);
  const path = `${pathname.replace(/\/+$/, '')}/`;
  if (hostname !== ANY_HOST) return { pattern: RegExp.escape(origin + path), mark: origin + path };
  const mark = host.slice(ANY_HOST.length) + path;
  return { pattern: `${protocol}//${HOST_PATTERN}${RegExp.escape(mark)}`, mark };
}
