import type { TimelineRow } from './timeline.ts';

/** In pixels, before any row has been measured. */
const LINE = 24;
const FILE = 260;
const REACTIONS = 36;
const TILES = { height: 168, inRow: 3 } as const;
const CHARACTERS_A_LINE = 70;
const FILE_LINE = /^https?:\/\/\S+\/\d+\s*$/;

/** Rows of one line of text up to this length are as high as others of similar length. */
const MOST_LEARNED = 600;
const CHARACTERS_A_STEP = 10;

/**
 * Estimates how high rows are before they are drawn. The better the estimate, the less the list has to correct its
 * position, which interrupts the browser's smooth scrolling. So it learns from rows that have been drawn.
 */
export class RowEstimates {
  readonly #known = new Map<string, number>();
  readonly #given = new WeakMap<TimelineRow, number>();

  /** Remembers how high a row is, in pixels. */
  learn(row: TimelineRow, height: number): void {
    const likeness = likenessOf(row);
    if (likeness !== undefined) this.#known.set(likeness, height);
  }

  /** The estimated height of a row in pixels: always the same for a row, because the list corrects by the error. */
  estimate(row: TimelineRow): number {
    const given = this.#given.get(row);
    if (given !== undefined) return given;
    const likeness = likenessOf(row);
    const known = likeness === undefined ? undefined : this.#known.get(likeness);
    const height = known ?? guess(row);
    this.#given.set(row, height);
    return height;
  }
}

/** Returns what rows of one height have in common. */
function likenessOf(row: TimelineRow): string | undefined {
  if (row.kind !== 'message') return row.kind;
  const { content } = row.message;
  const isPlain =
    content.length <= MOST_LEARNED && !content.includes('\n') && !FILE_LINE.test(content);
  if (!isPlain || row.delivery !== undefined) return undefined;
  const steps = Math.ceil(content.length / CHARACTERS_A_STEP);
  const hasReactions = (row.message.reactions?.length ?? 0) > 0;
  return `${row.isGroupStart} ${row.message.isOwn} ${hasReactions} ${steps}`;
}

function guess(row: TimelineRow): number {
  if (row.kind === 'beginning') return 96;
  if (row.kind !== 'message') return 56;
  let height = row.isGroupStart ? 44 : 6;
  if ((row.message.reactions?.length ?? 0) > 0) height += REACTIONS;
  let files = 0;
  for (const line of row.message.content.split('\n', 60)) {
    if (FILE_LINE.test(line)) files += 1;
    else height += LINE * Math.max(1, Math.ceil(Math.min(line.length, 3_000) / CHARACTERS_A_LINE));
  }
  if (files > 1) return height + Math.ceil(files / TILES.inRow) * TILES.height;
  return height + files * FILE;
}
