import { useEffect, useState } from 'preact/hooks';
import { memoryTokens, type Client, type Credential } from '@hearth/sdk';
import { addCommunities } from '@hearth/sdk/communities';
import type { Joined, OwnUser, Registration } from '@hearth/protocol';
import { communityPath, joinedPath } from '../communities/paths.ts';
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

/** Returns whether an invite makes the account of the owner: false until that is known. */
export function useIsOwners(code: string | undefined): boolean {
  const { another } = useClients();
  const [isOwners, setIsOwners] = useState(false);
  useEffect(() => {
    if (code === undefined) return;
    const ask = async () => {
      await using client = another(memoryTokens());
      const { kind } = await addCommunities(client).invites.find(code);
      setIsOwners(kind === 'owner');
    };
    // The form says what is wrong with a code once it is used.
    ask().catch(() => {});
  }, [another, code]);
  return isOwners;
}

/** The result of a registration. */
export interface RegisteredHere {
  readonly user: OwnUser;
  /** True if somebody has to approve the account. */
  readonly isPending: boolean;
  /** The path of a place that the account has joined with its invite. */
  readonly joinedPath: string | undefined;
}

/** Registers an account, in the language of the page. Unless it has to be approved first, the next page acts for it. */
export function useRegistering(): (account: Registration) => Promise<RegisteredHere> {
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
    const { user } = registered;
    if (registered.pending === true) return { user, isPending: true, joinedPath: undefined };
    await keep(accounts, user, registered.token);
    const path = registered.joined && (await pathOf(client, registered.joined));
    return { user, isPending: false, joinedPath: path };
  };
}

/** Resolves with where somebody goes who has joined a community by registering. Never rejects. */
async function pathOf(client: Client, { slug, ...joined }: Joined): Promise<string> {
  const { channel_id: channelId, community_id: id } = joined;
  try {
    const isKnown = channelId !== undefined;
    const channels = isKnown ? [] : await addCommunities(client).channels.list(id);
    return joinedPath(slug, channels, channelId);
  } catch {
    // They have joined it all the same.
    return communityPath(slug);
  }
}

async function keep(accounts: Accounts, user: OwnUser, token: string): Promise<void> {
  await accounts.keep(keptAccount(user, token));
  accounts.use(user.id);
}
