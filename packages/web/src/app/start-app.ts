import { computed, signal } from '@preact/signals';
import { createClient, type ConnectionState, type InstanceInfo } from '@hearth/sdk';
import type { AppState } from './app-state.ts';
import { Attachments } from '../conversation/attachments/attachments.ts';
import { Draft } from '../conversation/composer/draft.ts';
import { OutboxStore } from '../conversation/outbox/outbox-store.ts';
import { Outbox } from '../conversation/outbox/outbox.ts';
import { settleByHistory } from '../conversation/outbox/settle-by-history.ts';
import { OwnNonces } from '../conversation/outbox/own-nonces.ts';
import { Uploads } from '../conversation/uploads/uploads.ts';
import { Lobby } from '../conversation/messages/message-store.ts';
import { OwnMessages } from '../conversation/messages/own-messages.ts';
import type { Settings } from '../settings/settings.ts';
import { browserStorage } from '../lib/storage.ts';
import { browserClock } from './browser-clock.ts';
import { watchReachability } from '../connection/reachability.ts';
import type { Texts } from '../text/texts.ts';

/** What is there before the instance is known. */
export interface Preferences {
  readonly settings: Settings;
  readonly texts: Texts;
}

/** Creates the application state for the page's lifetime, and connects to the instance. */
export function startApp(info: InstanceInfo, { settings, texts }: Preferences): AppState {
  const clock = browserClock;
  const client = createClient(info);
  const connection = signal<ConnectionState>(client.connection);
  client.on('connection', (state) => {
    connection.value = state;
  });
  const reachability = watchReachability(connection);
  const { isReachable } = reachability;
  const local = browserStorage('localStorage');
  const storages = { local, session: browserStorage('sessionStorage') };
  const store = new OutboxStore(storages, info.oprish_url, clock);
  const author = settings.name;
  const ownNonces = new OwnNonces(info.oprish_url);
  const outbox = new Outbox({ client, author, connection, isReachable, store, ownNonces, clock });
  const draft = new Draft(storages, info.oprish_url, clock);
  const attachments = new Attachments(client);
  const uploads = new Uploads({
    client,
    isReachable,
    clock,
    send: (content) => outbox.send(content),
    putBack: (text) => draft.putBack(text),
    remember: (data, content) => attachments.remember(data, content),
  });
  draft.setAside(computed(() => uploads.messages.value.map(({ text }) => text)));
  goOnWritingWithFiles(uploads, draft);
  const lobby = new Lobby(client, {
    isOwnNonce: (nonce) => ownNonces.has(nonce),
    ownMessages: new OwnMessages(local, info.oprish_url),
  });
  lobby.onMessage((message) => outbox.settle(message));
  settleByHistory(lobby, outbox);
  lobby.onRemoval(({ content }) => attachments.closeEnlarged(content));
  const state: AppState = {
    info,
    client,
    settings,
    texts,
    connection,
    reachability,
    lobby,
    draft,
    outbox,
    uploads,
    attachments,
  };
  followPage(state, store);
  lobby.start();
  return state;
}

/** The button that added or removed a file should not keep the focus, or is gone. */
function goOnWritingWithFiles(uploads: Uploads, draft: Draft): void {
  const count = computed(() => uploads.picked.value.length);
  count.subscribe(() => draft.resume());
}

/** Stores what would be lost when the page goes, and reconnects when it becomes visible again. */
function followPage({ client, draft, uploads }: AppState, store: OutboxStore): void {
  window.addEventListener('pagehide', () => {
    draft.flush();
    store.leave();
  });
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) store.comeBack();
  });
  window.addEventListener('online', () => client.gateway.reconnectNow());
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) draft.flush();
    else client.gateway.reconnectNow();
  });
  window.addEventListener('beforeunload', (event) => {
    const hasFiles = uploads.messages.peek().length > 0 || uploads.picked.peek().length > 0;
    if (hasFiles) event.preventDefault();
  });
}
