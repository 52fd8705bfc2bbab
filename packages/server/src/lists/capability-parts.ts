import type { Context } from '../context.ts';
import { describeProof } from '../features/accounts/proofs/describe-proof.ts';
import type { KeepsProofs } from '../features/accounts/proofs/proofs.ts';
import type { CapabilityPart } from '../features/platform/capabilities/describe-capabilities.ts';

/** What clients learn with what the instance can do, by the features that know it. */
export function capabilityParts(ctx: Context & KeepsProofs): readonly CapabilityPart[] {
  return [() => describeProof(ctx)];
}
