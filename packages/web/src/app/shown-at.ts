import { parseId, type Id, type WebPlace } from '@hearth/protocol';
import { SETTINGS_PAGES, type SettingsPage } from '../settings/settings-pages.ts';

/** A dialog over a view. */
export type ShownDialog =
  | { readonly kind: 'about' }
  | { readonly kind: 'settings'; readonly page: SettingsPage | undefined };

/** What the page shows at a place. */
export type Shown =
  | {
      readonly view: 'lobby';
      /** The message that is shown, instead of the newest. */
      readonly messageId?: Id;
      readonly dialog?: ShownDialog;
    }
  | { readonly view: 'not_found' };

const NOT_FOUND: Shown = { view: 'not_found' };

/** What to show at a place. Every place has an entry here. */
export function shownAt(place: WebPlace | undefined): Shown {
  switch (place?.name) {
    case 'home':
    case 'lobby':
      return { view: 'lobby' };
    case 'lobbyMessage': {
      const messageId = parseId(place.params.message_id);
      return messageId === undefined ? NOT_FOUND : { view: 'lobby', messageId };
    }
    case 'about':
      return { view: 'lobby', dialog: { kind: 'about' } };
    case 'settings':
      return { view: 'lobby', dialog: { kind: 'settings', page: undefined } };
    case 'settingsPage': {
      const page = SETTINGS_PAGES.find((each) => each === place.params.page);
      return page === undefined ? NOT_FOUND : { view: 'lobby', dialog: { kind: 'settings', page } };
    }
    case 'community':
    case 'channel':
    case 'channelMessage':
    case 'post':
    case 'conversation':
    case 'conversationMessage':
    case 'user':
    case 'invite':
    case undefined:
      return NOT_FOUND;
  }
}
