import { parseId, type Id, type WebPlace } from '@hearth/protocol';
import {
  ACCOUNT_SETTINGS,
  SETTINGS_PAGES,
  type AccountSettingsPage,
  type SettingsPage,
} from '../settings/settings-pages.ts';

/** A dialog over a view. */
export type ShownDialog =
  | { readonly kind: 'about' }
  | { readonly kind: 'settings'; readonly page: SettingsPage | AccountSettingsPage | undefined }
  | { readonly kind: 'user'; readonly username: string };

/** A page of its own, about having an account. */
export type AccountPageName =
  | 'signIn'
  | 'register'
  | 'forgottenPassword'
  | 'resetPassword'
  | 'verifyEmail';

/** What the page shows at a place. */
export type Shown =
  | {
      readonly view: 'lobby';
      /** The message that is shown, instead of the newest. */
      readonly messageId?: Id;
      readonly dialog?: ShownDialog;
    }
  | {
      readonly view: 'account';
      readonly page: AccountPageName;
      /** The code of the invite in the address. */
      readonly invite?: string;
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
      const pages = [...SETTINGS_PAGES, ...ACCOUNT_SETTINGS];
      const page = pages.find((each) => each === place.params.page);
      return page === undefined ? NOT_FOUND : { view: 'lobby', dialog: { kind: 'settings', page } };
    }
    case 'user':
      return { view: 'lobby', dialog: { kind: 'user', username: place.params.username } };
    case 'signIn':
    case 'register':
    case 'forgottenPassword':
    case 'resetPassword':
    case 'verifyEmail':
      return { view: 'account', page: place.name };
    case 'invite':
      return { view: 'account', page: 'register', invite: place.params.code };
    case 'communities':
    case 'newCommunity':
    case 'community':
    case 'communitySettings':
    case 'communitySettingsPage':
    case 'channel':
    case 'channelMessage':
    case 'post':
    case 'conversation':
    case 'conversationMessage':
    case undefined:
      return NOT_FOUND;
  }
}

/** Whether something is shown only to people with an account. */
export function needsAccount(shown: Shown): boolean {
  if (shown.view !== 'lobby' || shown.dialog?.kind !== 'settings') return false;
  const { page } = shown.dialog;
  return ACCOUNT_SETTINGS.some((each) => each === page);
}
