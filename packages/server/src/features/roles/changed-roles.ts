import { communityStream, type Id, type Role } from '@hearth/protocol';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import { describeRole } from './describe-role.ts';
import { selectRoles } from './store.ts';

/** The roles of a community as a transaction has left them, the weakest first. */
export async function rolesNow(tx: EmittingTransaction, communityId: Id): Promise<readonly Role[]> {
  return (await selectRoles(tx.sql, [communityId])).map(describeRole);
}

/** Sends those who see a community the roles of which the transaction has raised the version. */
export async function announceRoles(
  tx: EmittingTransaction,
  communityId: Id,
  roles: readonly Role[],
): Promise<void> {
  const stream = communityStream(communityId);
  for (const d of roles) {
    const op = d.version === 1 ? 'ROLE_CREATE' : 'ROLE_UPDATE';
    await tx.emit({ stream, event: { op, d } }, { subject: stream });
  }
}
