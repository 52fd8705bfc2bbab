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

/** The ids in a text, one after another, each of so many characters. */
export function idsIn(text: string, length = ID_LENGTH): readonly string[] {
  return Array.from({ length: text.length / length }, (_, at) =>
    text.slice(at * length, (at + 1) * length),
  );
}
