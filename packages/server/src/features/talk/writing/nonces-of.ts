import type { Id } from '@hearth/protocol';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import {
  claimNonces,
  correctNonces,
  onceKey,
  type UsedNonce,
} from '../../platform/nonces/nonces.ts';
import type { Entry, Write } from './entry.ts';

/** Returns where the nonce of an entry was used. */
type NonceIn<Own> = (entry: Own) => Id;

/** A key that the same entry has again. */
export function keyOf<Own extends Write>(nonceIn: NonceIn<Own>, write: Own, at: number): string {
  const { author, nonce } = write.draft;
  return onceKey({ place: nonceIn(write), userId: author.id, nonce }, at);
}

/** The entries whose nonces were free, and what was written before, by the keys of the others. */
interface Claimed<Own extends Entry> {
  readonly entries: readonly Own[];
  readonly earlier: ReadonlyMap<string, Id>;
}

/** Claims nonces. It comes first, so that nothing else is done for what was written before. */
export async function claim<Own extends Entry>(
  tx: EmittingTransaction,
  entries: readonly Own[],
  { nonceIn, nowMs }: { readonly nonceIn: NonceIn<Own>; readonly nowMs: number },
): Promise<Claimed<Own>> {
  const withNonce = entries.filter(({ draft }) => draft.nonce !== '');
  if (withNonce.length === 0) return { entries, earlier: new Map() };
  const used = withNonce.map((entry) => nonceOf(entry, nonceIn(entry), nowMs));
  const found = await claimNonces(tx, used);
  if (found.size === 0) return { entries, earlier: new Map() };
  const earlier = new Map<string, Id>();
  for (const [place, entry] of withNonce.entries()) {
    const id = found.get(place);
    if (id !== undefined) earlier.set(keyOf(nonceIn, entry, entry.at), id);
  }
  const isNew = (entry: Own) => !earlier.has(keyOf(nonceIn, entry, entry.at));
  return { entries: entries.filter(isNew), earlier };
}

/** Corrects what the nonces of entries create that have got other ids. */
export async function correct<Own extends Entry>(
  tx: EmittingTransaction,
  entries: readonly Own[],
  { nonceIn, nowMs }: { readonly nonceIn: NonceIn<Own>; readonly nowMs: number },
): Promise<void> {
  const withNonce = entries.filter(({ draft }) => draft.nonce !== '');
  await correctNonces(
    tx,
    withNonce.map((entry) => nonceOf(entry, nonceIn(entry), nowMs)),
  );
}

function nonceOf({ id, draft }: Write, place: Id, usedAtMs: number): UsedNonce {
  const { author, nonce } = draft;
  return { place, userId: author.id, nonce, resultId: id, usedAtMs };
}
