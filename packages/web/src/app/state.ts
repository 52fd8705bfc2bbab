import type { Signal } from '@preact/signals';
import type { Accounts } from '../account/accounts.ts';
import type { Communities } from '../communities/communities.ts';
import type { Clients } from '../connection/use-clients.ts';
import type { Connection } from '../connection/connection.ts';
import type { Attachments } from '../conversation/attachments/attachments.ts';
import type { Conversation, ConversationParts } from '../conversation/conversation.ts';
import type { Instance } from '../instance/instance.ts';
import type { Settings } from '../settings/settings.ts';
import type { LazyViews } from '../lib/views.ts';
import type { Texts } from '../text/texts.ts';
import type { Navigation } from '../ui/use-navigation.ts';
import type { Access } from './access.ts';
import type { Router } from './router.ts';

/** Everything the page has, created once at the start. Views take their parts from the providers. */
export interface AppState {
  readonly router: Router;
  readonly navigation: Navigation;
  readonly settings: Settings;
  readonly accounts: Accounts;
  readonly texts: Texts;
  readonly views: LazyViews;
  readonly instance: Instance;
  readonly clients: Clients;
  readonly connection: Connection;
  readonly attachments: Attachments;
  readonly communities: Communities;
  /** The parts of which conversations other than the lobby are made. */
  readonly conversationParts: ConversationParts;
  readonly lobby: Conversation;
  /** Is set while the search is open. */
  readonly isSearching: Signal<boolean>;
  readonly access: Access;
}
