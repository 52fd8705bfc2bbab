import {
  ATTACHMENTS_BUCKET,
  MEDIA_PATH,
  MOST_ATTACHMENTS,
  parseId,
  type FileData,
  type Id,
} from '@hearth/protocol';
import { LRUCache } from 'lru-cache';
import type { Context } from '../../context.ts';
import type { Change } from '../../ports/database/database.ts';
import { describeUpload } from './describe-upload.ts';
import { selectUploadsOf } from './store.ts';

/** Files of which the data is kept. */
const MOST_KEPT = 4_096;

/** The data of a file, and what it changes with. */
interface KnownFile {
  readonly data: FileData;
  readonly blobKey: string;
}

/**
 * The files of this instance that texts name by their addresses. What was read of them is kept until any process changes
 * it.
 */
export class NamedFiles {
  readonly #database: Context['database'];
  readonly #bases: readonly string[];
  readonly #address: RegExp;
  readonly #known = new LRUCache<Id, KnownFile>({ max: MOST_KEPT });
  /** Counts changes. */
  #changes = 0;

  constructor({ database, fileAddresses }: Pick<Context, 'database' | 'fileAddresses'>) {
    this.#database = database;
    this.#bases = fileAddresses.map(baseOf);
    const bases = `(?:${this.#bases.map((base) => RegExp.escape(base)).join('|')})`;
    const path = `(?:${ATTACHMENTS_BUCKET}/|${MEDIA_PATH}/)?`;
    this.#address = new RegExp(`${bases}${path}(\\d{1,39})(?![\\w%-])`, 'g');
    database.onChange((changes) => this.#forget(changes));
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
    return named.map((ids) => ids.flatMap((id) => found.get(id)?.data ?? []));
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

  async #find(wanted: ReadonlySet<Id>): Promise<ReadonlyMap<Id, KnownFile>> {
    const isCertain = this.#database.hearChanges();
    const found = new Map<Id, KnownFile>();
    const missing: Id[] = [];
    for (const id of wanted) {
      const known = isCertain ? this.#known.get(id) : undefined;
      if (known === undefined) missing.push(id);
      else found.set(id, known);
    }
    if (missing.length === 0) return found;
    const changes = this.#changes;
    const uploads = await selectUploadsOf(this.#database.reader, ATTACHMENTS_BUCKET, missing);
    // If something has changed meanwhile, what was read may be outdated.
    const isCurrent = isCertain && this.#database.hearChanges() && changes === this.#changes;
    for (const upload of uploads) {
      const file = { data: describeUpload(upload), blobKey: upload.blobKey };
      found.set(upload.id, file);
      if (isCurrent) this.#known.set(upload.id, file);
    }
    return found;
  }

  #forget(changes: readonly Change[] | 'unknown'): void {
    this.#changes += 1;
    if (changes === 'unknown') {
      this.#known.clear();
      return;
    }
    const changed = new Set(changes.filter(({ kind }) => kind === 'content').map(({ id }) => id));
    if (changed.size === 0) return;
    for (const [id, { blobKey }] of this.#known.entries()) {
      if (changed.has(blobKey)) this.#known.delete(id);
    }
  }
}

/** The address of the file service as clients write it, with a slash at its end. */
function baseOf(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.replace(/\/+$/, '')}/`;
}
