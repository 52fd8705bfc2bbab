import type { Capabilities } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { within } from '../../../lib/within.ts';
import type { KeepsProofs } from './proofs.ts';

/** How long the database may take, in milliseconds. */
const ANSWER_MS = 1_000;

/** The proof that registering needs now, if any. */
export async function describeProof({
  settings,
  proofs,
}: Pick<Context, 'settings'> & KeepsProofs): Promise<Pick<Capabilities, 'proof'>> {
  if (settings.registration === 'closed') return {};
  // Without the database nobody can register, but clients can use the rest.
  const proof = await within(proofs.challenge(), ANSWER_MS);
  return proof === undefined ? {} : { proof };
}
