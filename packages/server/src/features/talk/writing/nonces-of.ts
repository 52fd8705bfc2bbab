import type { Id } from '@hearth/protocol';
import { dropOut, type EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import {
  claimNonces,
  correctNonces,
  onceKey,
  type UsedNonce,
} from '../../platform/nonces/nonces.ts';
import type { Entry, NotWritten, Write } from './entry.ts';

/** Where the nonce of an entry was used. */
type NonceIn<Own> = (entry: Own) => Id;

/** A key that the same entry has again. */
export function keyOf<Own extends Write>(nonceIn: NonceIn<Own>, write: Own, at: number): string {
  const { author, nonce } = write.draft;
  return onceKey({ place: nonceIn(write), userId: author.id, nonce }, at);
}

/** Claims nonces. It comes first, so that nothing else is done for what was written before, which drops out. */
export async function claim<Own extends Entry>(
  tx: EmittingTransaction,
  entries: readonly Own[],
  { nonceIn, nowMs }: { readonly nonceIn: NonceIn<Own>; readonly nowMs: number },
): Promise<void> {
  const withNonce = entries.filter(({ draft }) => draft.nonce !== '');
  if (withNonce.length === 0) return;
  const used = withNonce.map((entry) => nonceOf(entry, nonceIn(entry), nowMs));
  const earlier = await claimNonces(tx, used);
  dropOut(
    Array.from(earlier, ([place, id]) => {
      const result: NotWritten = { earlier: id };
      return [withNonce[place]?.at ?? place, { result }] as const;
    }),
  );
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
