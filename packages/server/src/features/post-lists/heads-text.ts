import type { Id } from '@hearth/protocol';
import type { Head } from './merge-heads.ts';

/** Digits of an id as it is stored. */
export const ID_LENGTH = 39;

/** How many channels one statement reads. */
export const CHANNELS_AT_ONCE = 1_000;

/** Posts with their ranks from their text. */
export function headsIn(text: string): readonly Head[] {
  if (text === '') return [];
  return text.split(',').map((head) => ({
    id: head.slice(0, ID_LENGTH),
    rank: Number(head.slice(ID_LENGTH + 1)),
  }));
}

/** The text of posts with their ranks. */
export function textOf(heads: readonly Head[]): string {
  return heads.map(({ id, rank }) => `${id} ${rank}`).join(',');
}

/** Some ids, the last one repeated up to a power of two, because statements are kept prepared by their text. */
export function evenly(ids: readonly Id[]): readonly Id[] {
  const last = ids.at(-1);
  if (last === undefined) return [];
  const length = 2 ** Math.ceil(Math.log2(ids.length));
  return [...ids, ...Array.from({ length: length - ids.length }, () => last)];
}
