import type { ReadonlySignal } from '@preact/signals';
import type { Client, ConnectionState, InstanceInfo } from '@hearth/sdk';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Attachments } from '../conversation/attachments/attachments.ts';
import type { Draft } from '../conversation/composer/draft.ts';
import type { Outbox } from '../conversation/outbox/outbox.ts';
import type { Uploads } from '../conversation/uploads/uploads.ts';
import type { Lobby } from '../conversation/messages/message-store.ts';
import type { Settings } from '../settings/settings.ts';
import type { Reachability } from '../connection/reachability.ts';
import type { Texts } from '../text/texts.ts';

/** Everything the views show, created once at the start. */
export interface AppState {
  readonly info: InstanceInfo;
  readonly client: Client;
  readonly settings: Settings;
  readonly texts: Texts;
  /** Of the gateway, as the client reports it. */
  readonly connection: ReadonlySignal<ConnectionState>;
  readonly reachability: Reachability;
  readonly lobby: Lobby;
  readonly draft: Draft;
  readonly outbox: Outbox;
  readonly uploads: Uploads;
  readonly attachments: Attachments;
}

/** Where views find the state. */
export const AppContext = createContext<AppState | undefined>(undefined);

/** The application state for a view. */
export function useApp(): AppState {
  const state = useContext(AppContext);
  if (state === undefined) throw new Error('a view is outside of the application');
  return state;
}
