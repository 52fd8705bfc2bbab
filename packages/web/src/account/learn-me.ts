import type { Client } from '@hearth/sdk';
import type { Accounts } from './accounts.ts';

/** Brings what the browser knows of the account in use up to date, which also shows whether its session goes on. */
export function learnMe(accounts: Accounts, client: Client): void {
  // Another page signed in, out or to another account: what this one shows belongs to somebody else.
  accounts.onUse(() => location.reload());
  if (accounts.current.peek()?.token === undefined) return;
  client
    .me()
    .then((user) => accounts.learn(user))
    // The token is forgotten if it was refused; otherwise the page goes on with what it knows.
    .catch(() => {});
}
