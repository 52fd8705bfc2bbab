import type { Id } from '@hearth/protocol';
import { ageOf } from '../../../lib/stored-moment.ts';
import { LRUCache } from 'lru-cache';
import type { CommentedPost } from '../posts/posts.ts';

/** The time for which votes do not change which comments a page has, and in which order. */
export const SHOWN_FOR_MS = 60_000;

/** The number of characters of names and ids that are remembered. */
const MOST_REMEMBERED = 4_000_000;

/** The number of characters of an id, and of a page besides. */
const SIZE_OF_ID = 20;
const SIZE_OF_PAGE = 200;

/** Which comments a page of a tree has, in tree order, and the cursor of the next page. */
export interface ShownComments {
  readonly ids: readonly Id[];
  readonly cursor: string | undefined;
  /** Since when votes have not changed it. */
  readonly madeAtMs: number;
}

/** The numbers that stay the same as long as no comment on a post comes or goes. */
type CountedComments = Pick<CommentedPost, 'commentNumber' | 'commentCount'>;

interface Remembered extends ShownComments, CountedComments {}

/** The comments on pages of large trees that were shown a moment ago, so that they are not looked for again level by level. */
export class ShownPages {
  readonly #byPage = new LRUCache<string, Remembered>({
    maxSize: MOST_REMEMBERED,
    sizeCalculation: ({ ids, cursor = '' }, page) =>
      SIZE_OF_PAGE + page.length + cursor.length + SIZE_OF_ID * ids.length,
  });

  /**
   * Finds the comments of a page, unless a comment on the post came or went meanwhile, or votes may have changed it for
   * a minute.
   */
  find(page: string, post: CountedComments, nowMs: number): ShownComments | undefined {
    const known = this.#byPage.get(page);
    if (known === undefined || ageOf(known.madeAtMs, nowMs) >= SHOWN_FOR_MS) return undefined;
    const isSame =
      known.commentNumber === post.commentNumber && known.commentCount === post.commentCount;
    return isSame ? known : undefined;
  }

  /** Remembers what a page has. The post is as it was before the comments were read. */
  note(page: string, shown: ShownComments, { commentNumber, commentCount }: CountedComments): void {
    this.#byPage.set(page, { ...shown, commentNumber, commentCount });
  }
}

export interface KeepsShownPages {
  readonly shownPages: ShownPages;
}
