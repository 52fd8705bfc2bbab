import {
  ATTACHMENTS_BUCKET,
  MEDIA_PATH,
  MOST_ATTACHMENTS,
  parseId,
  type FileData,
  type Id,
} from '@hearth/protocol';
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
  readonly #bases: readonly string[];
  readonly #address: RegExp;
  readonly #known: ChangeCache<Id, FileData>;

  constructor({ database, fileAddresses }: Pick<Context, 'database' | 'fileAddresses'>) {
    this.#database = database;
    this.#known = new ChangeCache(database, 'content', { max: MOST_KEPT });
    this.#bases = fileAddresses.map(baseOf);
    const bases = `(?:${this.#bases.map((base) => RegExp.escape(base)).join('|')})`;
    const path = `(?:${ATTACHMENTS_BUCKET}/|${MEDIA_PATH}/)?`;
    this.#address = new RegExp(`${bases}${path}(\\d{1,39})(?![\\w%-])`, 'g');
  }

  /** Whether a text may name files. Most do not, so this costs no more than searching the text. */
  mayBeIn(text: string): boolean {
    return text.includes('://') && this.#bases.some((base) => text.includes(base));
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

/** The address of the file service as clients write it, with a slash at its end. */
function baseOf(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.replace(/\/+$/, '')}/`;
}
