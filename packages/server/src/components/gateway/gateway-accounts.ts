import type { Id, OwnUser, Session } from '@hearth/protocol';
import type { Authentication, TokenHolder } from '../../authentication.ts';
import type { Context } from '../../context.ts';
import { describeSignedIn } from '../../features/sessions/describe-signed-in.ts';
import { findLastingSessions } from '../../features/sessions/find-lasting-sessions.ts';
import { userOf } from '../../http/authenticate.ts';

/** What the gateway asks about accounts. */
export interface GatewayAccounts extends Authentication {
  /** A user at an address, and the session that asks. Rejects with UnauthorizedError if it has ended. */
  describe(
    holder: TokenHolder,
    address: string,
  ): Promise<{ readonly user: OwnUser; readonly session: Session }>;

  /** Which of these sessions have not ended. */
  lasting(sessions: readonly Id[]): Promise<ReadonlySet<Id>>;
}

/** The accounts of an instance. */
export function gatewayAccounts(ctx: Context): GatewayAccounts {
  return {
    check: (token, address) => ctx.authentication.check(token, address),
    describe: (holder, address) => describeSignedIn(ctx, userOf(holder, address)),
    lasting: (sessions) => findLastingSessions(ctx, sessions),
  };
}
