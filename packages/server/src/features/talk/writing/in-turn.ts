import type { Id } from '@hearth/protocol';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { lockTurnsFor, setLast } from '../../platform/turns/turns.ts';
import { withIdsAbove } from '../places/places.ts';
import type { Draft, Entry, Now, Placed, Write } from './entry.ts';
import { correct } from './nonces-of.ts';
import { dropOutdated } from './outdated.ts';

/** A message or post in the order of its place, with the number of its event. */
export type InTurn<Own extends Draft = Draft> = Placed<Own> & { readonly number: number };

/** The id of the place of an entry. */
export function placeOf({ turning }: Pick<Write, 'turning'>): Id {
  return turning.access.place.id;
}

/** Locks the places, and gives each entry its number, its id and its time. */
export async function takeTurns<Own extends Draft>(
  tx: EmittingTransaction,
  entries: readonly Entry<Own>[],
  { ctx, nowMs }: Now,
): Promise<readonly InTurn<Own>[]> {
  const byPlace = Map.groupBy(entries, placeOf);
  const locked = await lockTurnsFor(
    tx,
    Array.from(byPlace, ([placeId, own]) => ({ placeId, ids: own.map(({ id }) => id) })),
    nowMs,
  );
  const isChanged = ({ turning: { access } }: Entry) =>
    locked.get(access.place.id)?.version !== access.place.version;
  const changed = entries.filter(isChanged);
  if (changed.length > 0) await dropOutdated(tx, ctx, changed);
  const placed: InTurn<Own>[] = [];
  for (const [placeId, own] of byPlace) {
    const turn = locked.get(placeId);
    if (turn === undefined) continue;
    const { number, writtenAtMs, lastId } = turn;
    const isLast = lastId === '' || lastId === own.at(-1)?.id;
    const numbered = isLast ? own : await aboveNewest(tx, own, { ctx, nowMs, lastId });
    for (const [place, entry] of numbered.entries()) {
      placed.push({ ...entry, writtenAtMs, number: number - own.length + place + 1 });
    }
  }
  return placed;
}

/** The entries of a place with ids that are greater than that of its newest one, as those that were drawn are nearly always. */
async function aboveNewest<Own extends Draft>(
  tx: EmittingTransaction,
  entries: readonly Entry<Own>[],
  { ctx, nowMs, lastId }: Now & { readonly lastId: Id },
): Promise<readonly Entry<Own>[]> {
  const greater = withIdsAbove(ctx, entries, [lastId]);
  const last = greater.at(-1);
  if (last === undefined) return greater;
  await setLast(tx, placeOf(last), { lastId: last.id, nowMs });
  await correct(tx, greater, { nonceIn: placeOf, nowMs });
  return greater;
}
