import { HISTORY_PAGE, type FoundPage, type Id } from '@hearth/sdk';

/** Which part of what a search finds. */
export interface FoundRange {
  readonly before: Id | undefined;
  readonly limit: number;
}

/** The newest entries that a search finds, at most so many, the oldest first. */
export async function newestFound<Entry>(
  page: (range: FoundRange) => Promise<FoundPage<Entry>>,
  count: number,
): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  let before: Id | undefined;
  while (found.length < count) {
    const limit = Math.min(count - found.length, HISTORY_PAGE.max);
    const { entries, next } = await page({ before, limit });
    found.push(...entries);
    if (next === undefined) break;
    before = next;
  }
  return found.toReversed();
}
