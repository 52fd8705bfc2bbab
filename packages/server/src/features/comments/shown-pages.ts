import type { Id } from '@hearth/protocol';
import { LRUCache } from 'lru-cache';
import type { CommentedPost } from '../posts/commented-post.ts';

/** How long votes do not change which comments a page has, and in which order. */
export const SHOWN_FOR_MS = 60_000;

/** How many comments of pages are remembered; a page itself takes as much as ten. */
const MOST_REMEMBERED = 200_000;
const SIZE_OF_PAGE = 10;

/** Which comments a page of a tree has, in tree order, and the cursor of the next page. */
export interface ShownComments {
  readonly ids: readonly Id[];
  readonly cursor: string | undefined;
}

interface Remembered extends ShownComments {
  readonly madeAtMs: number;
  /** Of the post when the page was made: both are the same as long as no comment comes or goes. */
  readonly commentNumber: number;
  readonly commentCount: number;
}

/** What is known of a post when a page is requested, and when that is. */
export interface Requested {
  readonly post: Pick<CommentedPost, 'commentNumber' | 'commentCount'>;
  readonly nowMs: number;
}

/** The comments on pages of large trees that were shown a moment ago, so that they are not looked for again level by level. */
export class ShownPages {
  readonly #byPage = new LRUCache<string, Remembered>({
    maxSize: MOST_REMEMBERED,
    sizeCalculation: ({ ids }) => SIZE_OF_PAGE + ids.length,
  });

  /** What a page has, unless a comment on the post came or went meanwhile, or it is a minute old. */
  find(page: string, { post, nowMs }: Requested): ShownComments | undefined {
    const known = this.#byPage.get(page);
    if (known === undefined || nowMs - known.madeAtMs >= SHOWN_FOR_MS) return undefined;
    const isSame =
      known.commentNumber === post.commentNumber && known.commentCount === post.commentCount;
    return isSame ? known : undefined;
  }

  /** Remembers what a page has. The post is as it was before the comments were read. */
  note(page: string, { ids, cursor }: ShownComments, { post, nowMs }: Requested): void {
    const { commentNumber, commentCount } = post;
    this.#byPage.set(page, { ids, cursor, madeAtMs: nowMs, commentNumber, commentCount });
  }
}
