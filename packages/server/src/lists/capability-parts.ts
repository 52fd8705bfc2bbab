import type { Context } from '../context.ts';
import { describeProof, type KeepsProofs } from '../features/accounts/proofs/proofs.ts';
import type { CapabilityPart } from '../features/platform/capabilities/capabilities.ts';

/** Parts of `GET /capabilities`, by the features that know them. */
export function capabilityParts(ctx: Context & KeepsProofs): readonly CapabilityPart[] {
  return [() => describeProof(ctx)];
}
