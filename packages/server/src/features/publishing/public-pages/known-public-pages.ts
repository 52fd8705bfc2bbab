import type { Context } from '../../../context.ts';
import type { KeepsCommunities } from '../../communities/structure/structure.ts';
import { listPublicPages, type PublicPages } from '../../forum/post-lists/post-lists.ts';
import type { Change } from '../../../ports/database/database.ts';

/** The greatest age of the list, in milliseconds: reading it takes hundreds of statements. */
const REMEMBERED_MS = 60_000;

/** If more has changed, all of it is read again. */
const MOST_CHANGED = 1_000;

interface KnownPages extends PublicPages {
  /** In monotonic milliseconds. */
  readonly readAtMs: number;
  /** Differs if the pages do. */
  readonly number: number;
}

/**
 * The pages that search engines may list, as they were up to a minute ago, without those of communities and posts that any
 * process has changed since: what was removed or hidden is not listed any more, and what was renamed is listed again with the
 * next reading.
 */
export class KnownPublicPages {
  readonly #ctx: Context & KeepsCommunities;
  #known: KnownPages | undefined;
  /** The ids of what has changed since the latest reading began, unless it was left out already. */
  #changed = new Set<string>();
  /** True if anything may have changed. */
  #isUnsure = false;
  #readings = 0;

  constructor(ctx: Context & KeepsCommunities) {
    this.#ctx = ctx;
    ctx.database.onChange((changes) => this.#hear(changes));
  }

  /**
   * The pages as they are known now. Throws UnauthorizedError or ForbiddenError if visitors may not read. Calls must follow each
   * other.
   */
  async now(): Promise<KnownPages> {
    const { clock, database } = this.#ctx;
    const isSure = database.hearChanges() && !this.#isUnsure;
    const ageMs = clock.monotonicMs() - (this.#known?.readAtMs ?? -Infinity);
    const isNew = ageMs < REMEMBERED_MS;
    const known = isSure && isNew && this.#known ? this.#known : await this.#read();
    this.#known = this.#withoutChanged(known);
    return this.#known;
  }

  async #read(): Promise<KnownPages> {
    this.#changed = new Set();
    this.#isUnsure = false;
    const readAtMs = this.#ctx.clock.monotonicMs();
    const pages = await listPublicPages(this.#ctx);
    return { ...pages, readAtMs, number: this.#next() };
  }

  #withoutChanged(known: KnownPages): KnownPages {
    const changed = this.#changed;
    if (changed.size === 0) return known;
    this.#changed = new Set();
    return {
      ...known,
      number: this.#next(),
      communities: known.communities.filter(({ communityId }) => !changed.has(communityId)),
      posts: known.posts.filter(
        ({ id, communityId }) => !changed.has(id) && !changed.has(communityId),
      ),
    };
  }

  #hear(changes: readonly Change[] | 'unknown'): void {
    if (changes === 'unknown') {
      this.#isUnsure = true;
      return;
    }
    for (const { kind, id } of changes) {
      if (kind === 'communities' || kind === 'posts') this.#changed.add(id);
    }
    if (this.#changed.size <= MOST_CHANGED) return;
    this.#changed.clear();
    this.#isUnsure = true;
  }

  #next(): number {
    this.#readings += 1;
    return this.#readings;
  }
}
