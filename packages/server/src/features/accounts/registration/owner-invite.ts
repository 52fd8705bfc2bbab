import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { newInviteCode } from './invite-code.ts';
import { deleteOwnerInvite, hasStaff, insertInvite, selectOwnerInvite } from './store.ts';

/**
 * The code of the invite that makes the owner's account, as long as no account has any permission of the staff. Every
 * process and every start has the same one until it is used.
 */
export async function ownerInvite({
  database,
  clock,
}: Pick<Context, 'database' | 'clock'>): Promise<string | undefined> {
  if (await hasStaff(database.reader)) return undefined;
  const known = await selectOwnerInvite(database.reader);
  if (known !== undefined) return known.code;
  const created_at = clock.unixMs();
  return await database.transaction(async ({ sql }) => {
    await insertInvite(sql, {
      code: newInviteCode(),
      purpose: 'owner',
      most_uses: 1,
      uses: 0,
      created_at,
    });
    // Another process may have been faster.
    return (await selectOwnerInvite(sql))?.code;
  });
}

/** Ends the invite that makes the owner's account, because there is one. */
export async function endOwnerInvite(tx: Transaction): Promise<void> {
  await deleteOwnerInvite(tx.sql);
}
