import { effect, signal } from '@preact/signals';
import { createLightClient, systemClock, type Client, type TokenStorage } from '@hearth/sdk';
import type { Accounts } from '../account/accounts.ts';
import { learnMe } from '../account/learn-me.ts';
import { Communities } from '../communities/communities.ts';
import { KeptPlaces } from '../communities/kept-places.ts';
import { watchConnection } from '../connection/connection.ts';
import { Attachments } from '../conversation/attachments/attachments.ts';
import type { Conversation, ConversationParts } from '../conversation/conversation.ts';
import { OwnMessages } from '../conversation/messages/own-messages.ts';
import { OwnNonces } from '../writing/outbox/own-nonces.ts';
import { instanceOf } from '../instance/instance.ts';
import { browserKeptStorage } from '../lib/kept-storage.ts';
import { browserStorage } from '../lib/storage.ts';
import type { LazyViews } from '../lib/views.ts';
import { createLobby } from '../lobby/create-lobby.ts';
import type { Settings } from '../settings/settings.ts';
import type { Texts } from '../text/texts.ts';
import { followPeople } from '../user/people-now.ts';
import { takeAccessCode, watchAccess } from './access.ts';
import { communitySource } from './community-source.ts';
import { followAddress } from './follow-address.ts';
import { followInvite } from './follow-invite.ts';
import { followSlug } from './follow-slug.ts';
import { navigationOf } from './navigation.ts';
import type { ReachedInstance } from './own-services.ts';
import type { Router } from './router.ts';
import type { AppState } from './state.ts';
import { watchPage } from './watch-page.ts';

/** The parts that are there before the instance is known. */
export interface Preferences {
  readonly settings: Settings;
  readonly accounts: Accounts;
  readonly texts: Texts;
  readonly router: Router;
  readonly views: LazyViews;
}

/** Creates the application state for the page's lifetime, and connects to the instance. */
export function startApp(
  reached: ReachedInstance,
  { settings, accounts, texts, router, views }: Preferences,
): AppState {
  const { info, options, listedAddresses } = reached;
  const local = browserStorage('localStorage');
  const storages = { local, session: browserStorage('sessionStorage') };
  const code = takeAccessCode(info.oprish_url, storages);
  const another = (tokens: TokenStorage) =>
    createLightClient(info, { ...options, tokens, accessCode: () => code.current.peek() });
  const client = another(accounts);
  // Nobody waits for it, and the next start tries again.
  void client.sessions.renewOldToken().catch(() => {});
  const connection = watchConnection(client);
  watchPage(connection, systemClock);
  const attachments = new Attachments(client, listedAddresses);
  const access = watchAccess(reached, code, connection.state);
  const conversationParts: ConversationParts = {
    client,
    connection,
    attachments,
    author: accounts.name,
    owner: accounts.current.peek()?.id,
    ownNonces: new OwnNonces(info.oprish_url),
    ownMessages: new OwnMessages(local, accounts.ownKey),
    storages,
    clock: systemClock,
    views,
    keptStorage: browserKeptStorage(),
  };
  const lobby = createLobby(conversationParts);
  effect(() => {
    if (!access.isCodeMissing.value) return;
    lobby.kept.forget();
    lobby.reply.value = undefined;
  });
  followPage(client, lobby);
  lobby.start();
  followAddress(router, lobby);
  followInvite(router, () => location.href);
  learnMe(accounts, client);
  followPeople(client);
  const instance = instanceOf(client, connection.state);
  const clients = { client, another };
  const communities = new Communities({
    ...communitySource(client, conversationParts),
    kept: new KeptPlaces(local, accounts.ownKey),
    now: () => systemClock.now(),
  });
  followSlug(router, communities);
  const navigation = navigationOf(router);
  const state = { settings, accounts, texts, views, instance, clients, connection, attachments };
  const isSearching = signal(false);
  const places = { router, navigation, communities, conversationParts, lobby, isSearching };
  return { ...state, ...places, access };
}

/** Stores what would be lost when the page goes, and reconnects when it becomes visible again. */
function followPage(client: Client, conversation: Conversation): void {
  const { uploads } = conversation;
  window.addEventListener('pagehide', () => conversation.leave());
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) conversation.comeBack();
  });
  window.addEventListener('online', () => client.gateway.reconnectNow());
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) conversation.flush();
    else client.gateway.reconnectNow();
  });
  window.addEventListener('beforeunload', (event) => {
    const hasFiles = uploads.sending.peek().length > 0 || uploads.picked.peek().length > 0;
    if (hasFiles) event.preventDefault();
  });
}
