import { blockOf, type Block, type BlockSpan } from '../blocks.ts';

/** How many entries are in the blocks of a channel's index, and how much is read of them at once. */
export interface ChannelSizes {
  /** Small blocks grow as entries are indexed. */
  readonly small: number;
  /** A multiple of `small`. So many small blocks are merged into one, so that a search reads few rows. */
  readonly large: number;
  /** How many words of blocks one step of the indexer reads, so that other writers never wait long. */
  readonly words: number;
}

export const CHANNEL_SIZES: ChannelSizes = { small: 512, large: 8_192, words: 1_024 };

/** The blocks with all entries, the newest first, if this many large blocks are complete. */
export function channelSpans(
  { small, large }: ChannelSizes,
  { merged, lastNumber }: { readonly merged: number; readonly lastNumber: number },
): readonly BlockSpan[] {
  return [
    { size: small, first: (merged * large) / small, last: blockOf(lastNumber, small) },
    { size: large, first: 0, last: merged - 1 },
  ];
}

/** Whether the small blocks of the next large one are full. */
export function isMergeDue(
  { merged, lastNumber }: { readonly merged: number; readonly lastNumber: number },
  { large }: ChannelSizes,
): boolean {
  return lastNumber >= (merged + 1) * large;
}

/** The block that has the words of the entry with this number. */
export function blockWith(
  number: number,
  { small, large }: ChannelSizes,
  { merged }: { readonly merged: number },
): Block {
  const size = number <= merged * large ? large : small;
  return { size, index: blockOf(number, size) };
}

/** Under which number a block is stored: small ones from 0 on, large ones from -1 downwards. */
export function storedBlock({ size, index }: Block, { large }: ChannelSizes): number {
  return size === large ? -1 - index : index;
}

/** The index of a block, among those of its size, that is stored under a number. */
export function indexOfStored(stored: number): number {
  return stored < 0 ? -1 - stored : stored;
}
