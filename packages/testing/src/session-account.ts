import { readPermissions, STAFF_PERMISSIONS, type Id } from '@hearth/protocol';
import type { Account, SessionAccount } from '../../server/src/actor.ts';

/** An account that acts by a session. */
export function sessionAccount(
  userId: Id,
  sessionId: Id,
  given: Partial<Pick<SessionAccount, 'staff_permissions' | 'address'>> = {},
): SessionAccount {
  return {
    kind: 'account',
    user_id: userId,
    is_bot: false,
    credential: { kind: 'session', id: sessionId, token_hash: '' },
    address: '192.0.2.1',
    staff_permissions: readPermissions(STAFF_PERMISSIONS, []),
    ...given,
  };
}

/** The account itself. Throws TypeError if it does not act by a session. */
export function asSessionAccount(account: Account): SessionAccount {
  // Guarantee: the credential was read of this account.
  if (account.credential.kind === 'session') return account as SessionAccount;
  throw new TypeError('the account acts by a token');
}
