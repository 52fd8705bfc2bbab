import type { Id } from '@hearth/protocol';
import { ID_DIGITS, unpackIds } from '../../../ports/database/packed-ids.ts';

/** The number of channels that one statement reads. */
export const CHANNELS_AT_ONCE = 1_000;

/** Posts with their ranks from their text. */
export function headsIn(text: string): readonly Head[] {
  if (text === '') return [];
  return text.split(',').map((head) => ({
    id: head.slice(0, ID_DIGITS),
    rank: Number(head.slice(ID_DIGITS + 1)),
  }));
}

/** The text of posts with their ranks. */
export function textOf(heads: readonly Head[]): string {
  return heads.map(({ id, rank }) => `${id} ${rank}`).join(',');
}

/** A post in an order. */
export interface Head {
  /** As it is stored, so that a newer one is greater. */
  readonly id: string;
  readonly rank: number;
}

/** Reads the first so many posts of each of the channels. */
export type ReadHeads = (
  channelIds: readonly Id[],
  each: number,
) => Promise<ReadonlyMap<Id, readonly Head[]>>;

/** The factor by which more is read of the channels than they have on average in what they make together. */
const SPARE = 1.5;

/** The greatest rank first, and of equal ones the newest. */
export function compareHeads(one: Head, other: Head): number {
  return other.rank - one.rank || (other.id > one.id ? 1 : -1);
}

/**
 * The first posts of many channels together. Each channel is read as far as it may belong to them: those that turn out to
 * have many are read again, further, so that the number of readings grows with the logarithm of `wanted` only.
 */
export async function mergeHeads(
  channelIds: readonly Id[],
  { wanted, read }: { readonly wanted: number; readonly read: ReadHeads },
): Promise<readonly Head[]> {
  const known = new Map<Id, readonly Head[]>();
  let first: readonly Head[] = [];
  let open = channelIds;
  for (let each = 0; open.length > 0 && each < wanted;) {
    each = Math.min(wanted, Math.max(each * 2, Math.ceil((SPARE * wanted) / open.length)));
    for (const [id, heads] of await read(open, each)) known.set(id, heads);
    first = firstOf(known, wanted);
    const ends = { each, end: first[wanted - 1] };
    open = open.filter((id) => goesOn(known.get(id) ?? [], ends));
  }
  return first;
}

/** The ids of posts, packed. */
export function packedHeads(heads: readonly Head[]): string {
  return heads.map(({ id }) => id).join('');
}

export function idsOf(heads: readonly Head[]): readonly Id[] {
  return unpackIds(packedHeads(heads));
}

/**
 * Returns whether a channel of which so many posts were read may have others that come before the last one that is
 * wanted.
 */
function goesOn(
  heads: readonly Head[],
  { each, end }: { readonly each: number; readonly end: Head | undefined },
): boolean {
  const last = heads.at(-1);
  if (last === undefined || heads.length < each) return false;
  return end === undefined || compareHeads(last, end) <= 0;
}

function firstOf(known: ReadonlyMap<Id, readonly Head[]>, wanted: number): readonly Head[] {
  return [...known.values()].flat().toSorted(compareHeads).slice(0, wanted);
}
