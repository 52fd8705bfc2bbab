import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import { deleteReadStates, deleteReadStatesOf } from './store.ts';

/** Forgets what somebody has read in a community that they leave. */
export function forgetReadStates(
  { sql }: Transaction,
  member: { readonly communityId: Id; readonly userId: Id },
): Promise<void> {
  return deleteReadStates(sql, member);
}

/** Forgets what members of communities have read there. */
export function forgetAllReadStates(
  tx: Transaction,
  members: readonly { readonly communityId: Id; readonly userId: Id }[],
): Promise<void> {
  return deleteReadStatesOf(tx, members);
}
