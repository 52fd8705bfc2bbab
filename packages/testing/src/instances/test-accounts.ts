import type { Registration, SignedIn } from '@hearth/protocol';
import type { SessionAccount } from '../../../server/src/actor.ts';
import { GuessLimits } from '../../../server/src/features/platform/guesses/guess-limits.ts';
import { TokenCheck } from '../../../server/src/features/accounts/sessions/token-check.ts';
import { newTokenKeys } from '../../../server/src/features/accounts/sessions/token-keys.ts';
import { Tokens } from '../../../server/src/features/accounts/sessions/tokens.ts';
import { Passwords } from '../../../server/src/features/accounts/users/passwords.ts';
import { accountOf } from '../../../server/src/http/authenticate.ts';
import { asSessionAccount } from '../session-account.ts';
import type { InstanceContext } from '../../../server/src/instance-context.ts';
import { register } from '../accounts.ts';
import type { Clock } from '../../../server/src/lib/clock.ts';
import type { Database } from '../../../server/src/ports/database/database.ts';
import { ownerOutbox } from '../../../server/src/ports/outbox/outbox.ts';
import { countedIds } from '../ports/id-source.ts';
import { CHEAP_PASSWORDS } from './cheap-passwords.ts';
import { openTestContext } from './test-context.ts';
import { withRegistration } from './with-registration.ts';

/** The password of everyone in tests. */
export const PASSWORD = 'correct horse battery';

/** Accounts on a database without an instance. */
export interface TestAccounts extends AsyncDisposable {
  readonly ctx: InstanceContext;
  /** Registers a person, who is the actor of the result. */
  person(
    name: string,
    given?: Partial<Registration>,
  ): Promise<SessionAccount & { readonly token: string }>;
  /** The actor of a token. */
  actorOf(signedIn: Pick<SignedIn, 'token'>): Promise<SessionAccount>;
}

/** Opens accounts whose passwords cost little. */
export async function testAccounts(database: Database, clock: Clock): Promise<TestAccounts> {
  const owner = await openTestContext();
  const keys = await newTokenKeys();
  const tokens = new Tokens({ current: async () => keys, newest: async () => keys }, clock);
  const passwords = new Passwords(CHEAP_PASSWORDS);
  const guesses = new GuessLimits({ database, clock });
  const parts = { passwords, tokens, guesses, clock, ids: countedIds() };
  const ctx: InstanceContext = withRegistration(
    { ...owner, ...parts, database: ownerOutbox(database) },
    'open',
  );
  const address = '192.0.2.77';
  const actorOf = async ({ token }: Pick<SignedIn, 'token'>): Promise<SessionAccount> => {
    const check = new TokenCheck({ ...ctx, database });
    const holder = await check.check(token, address);
    return asSessionAccount(accountOf(holder, address));
  };
  return {
    ctx,
    actorOf,
    async person(name, given = {}) {
      const person = { username: name, email: `${name}@example.org`, password: PASSWORD };
      const signedIn = await register(ctx, { kind: 'guest', address }, { ...person, ...given });
      return { ...(await actorOf(signedIn)), token: signedIn.token };
    },
    [Symbol.asyncDispose]: () => owner[Symbol.asyncDispose](),
  };
}
