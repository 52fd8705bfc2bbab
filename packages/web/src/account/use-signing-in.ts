import { memoryTokens, type Credential, type Registered } from '@hearth/sdk';
import type { OwnUser, Registration } from '@hearth/protocol';
import { keptAccount, type Accounts } from './accounts.ts';
import { useAccounts } from './use-accounts.ts';
import { useClients } from '../connection/use-clients.ts';
import { useLanguage } from '../text/use-text.ts';
import { sessionClient } from './session-client.ts';

/**
 * Signs in to an account that the next page acts for. This page goes on as it is: it has a client of its own.
 */
export function useSigningIn(): (credential: Credential) => Promise<void> {
  const accounts = useAccounts();
  const { another } = useClients();
  return async (credential) => {
    await using client = another(memoryTokens());
    const program = sessionClient(navigator.userAgent);
    const { user, token } = await client.signIn({ ...credential, client: program });
    await keep(accounts, user, token);
  };
}

/** Registers an account, in the language of the page. Unless it has to be approved first, the next page acts for it. */
export function useRegistering(): (account: Registration) => Promise<Registered> {
  const accounts = useAccounts();
  const { another } = useClients();
  const language = useLanguage();
  return async (account) => {
    await using client = another(memoryTokens());
    const registered = await client.register({
      ...account,
      language,
      client: sessionClient(navigator.userAgent),
    });
    if (registered.pending === undefined) {
      await keep(accounts, registered.user, registered.token);
    }
    return registered;
  };
}

async function keep(accounts: Accounts, user: OwnUser, token: string): Promise<void> {
  await accounts.keep(keptAccount(user, token));
  accounts.use(user.id);
}
