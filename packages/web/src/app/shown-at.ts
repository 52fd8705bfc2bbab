import { parseId, type Id, type WebPlace } from '@hearth/protocol';
import {
  ACCOUNT_SETTINGS,
  COMMUNITY_PAGES,
  SETTINGS_PAGES,
  type AccountSettingsPage,
  type CommunityPage,
  type SettingsPage,
} from '../settings/settings-pages.ts';
import type { Visit } from './router.ts';

/** A dialog over a view. */
export type ShownDialog =
  | { readonly kind: 'about' }
  | { readonly kind: 'settings'; readonly page: SettingsPage | AccountSettingsPage | undefined }
  | { readonly kind: 'user'; readonly username: string }
  | { readonly kind: 'newCommunity' }
  | { readonly kind: 'community'; readonly slug: string; readonly page: CommunityPage | undefined };

/** A page of its own, about having an account. */
export type AccountPageName =
  | 'signIn'
  | 'register'
  | 'forgottenPassword'
  | 'resetPassword'
  | 'verifyEmail';

/** The things that the page shows at a place. */
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
  /** The start page of somebody with an account; the lobby for visitors. */
  | { readonly view: 'home'; readonly dialog?: ShownDialog }
  | { readonly view: 'find' }
  | {
      readonly view: 'community';
      readonly slug: string;
      readonly channelId?: Id;
      /** The message that is shown, instead of the newest. */
      readonly messageId?: Id;
      /** The post that is shown. */
      readonly postId?: Id;
      /** The comment on it that the address names. */
      readonly commentId?: Id;
      /** Set if the posts of all its channels are shown. */
      readonly isPosts?: true;
      readonly dialog?: ShownDialog;
    }
  /** The posts of the reader's communities. */
  | { readonly view: 'feed' }
  /** Somebody, with what they have written. */
  | { readonly view: 'user'; readonly username: string }
  | { readonly view: 'invite'; readonly code: string }
  | { readonly view: 'not_found' };

const NOT_FOUND: Shown = { view: 'not_found' };

/** Returns what to show at a place. Every place has an entry here. */
export function shownAt(place: WebPlace | undefined): Shown {
  switch (place?.name) {
    case 'home':
      return { view: 'home' };
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
      return { view: 'invite', code: place.params.code };
    case 'feed':
      return { view: 'feed' };
    case 'communities':
      return { view: 'find' };
    case 'newCommunity':
      return { view: 'home', dialog: { kind: 'newCommunity' } };
    case 'community':
    case 'communitySettings':
    case 'communitySettingsPage':
    case 'channel':
    case 'channelMessage':
    case 'communityPosts':
    case 'untitledPost':
    case 'post':
    case 'postComment':
      return inCommunity(place);
    case 'conversation':
    case 'conversationMessage':
    case undefined:
      return NOT_FOUND;
  }
}

type CommunityPlace = Extract<WebPlace, { readonly params: { readonly slug: string } }>;

function inCommunity(place: CommunityPlace): Shown {
  const { slug } = place.params;
  switch (place.name) {
    case 'community':
      return { view: 'community', slug };
    case 'communitySettings':
      return settingsOf(slug, undefined);
    case 'communitySettingsPage': {
      const page = COMMUNITY_PAGES.find((each) => each === place.params.page);
      return page === undefined ? NOT_FOUND : settingsOf(slug, page);
    }
    case 'channel': {
      const channelId = parseId(place.params.channel_id);
      return channelId === undefined ? NOT_FOUND : { view: 'community', slug, channelId };
    }
    case 'channelMessage': {
      const channelId = parseId(place.params.channel_id);
      const messageId = parseId(place.params.message_id);
      if (channelId === undefined || messageId === undefined) return NOT_FOUND;
      return { view: 'community', slug, channelId, messageId };
    }
    case 'communityPosts':
      return { view: 'community', slug, isPosts: true };
    case 'untitledPost':
    case 'post': {
      const postId = parseId(place.params.post_id);
      return postId === undefined ? NOT_FOUND : { view: 'community', slug, postId };
    }
    case 'postComment': {
      const postId = parseId(place.params.post_id);
      const commentId = parseId(place.params.comment_id);
      if (postId === undefined || commentId === undefined) return NOT_FOUND;
      return { view: 'community', slug, postId, commentId };
    }
  }
}

function settingsOf(slug: string, page: CommunityPage | undefined): Shown {
  return { view: 'community', slug, dialog: { kind: 'community', slug, page } };
}

/** Returns what lies over a view and has an address, if anything does. */
export function dialogOf(shown: Shown): ShownDialog | undefined {
  return 'dialog' in shown ? shown.dialog : undefined;
}

/** Returns what is below: a dialog lies over what the reader saw before, if it is no other community. */
export function below(shown: Shown, before: Shown | undefined): Shown {
  const dialog = dialogOf(shown);
  if (dialog === undefined || before === undefined) return shown;
  if (dialog.kind !== 'community') return before;
  return before.view === 'community' && before.slug === dialog.slug ? before : shown;
}

/** Somebody is shown by themselves if the reader begins there, or asks for that; over what they saw before otherwise. */
export function shownBy({ place, isPage }: Visit, hasCommunities: boolean | undefined): Shown {
  if (place?.name !== 'user' || !isPage || hasCommunities === false) return shownAt(place);
  return { view: 'user', username: place.params.username };
}

/** Returns whether something is there only if the instance has communities. */
export function needsCommunities(shown: Shown): boolean {
  const isDialog = dialogOf(shown)?.kind === 'newCommunity';
  return ['community', 'find', 'feed'].includes(shown.view) || isDialog;
}

/** Returns whether something is shown only to people with an account. */
export function needsAccount(shown: Shown): boolean {
  if (shown.view === 'feed') return true;
  const dialog = dialogOf(shown);
  switch (dialog?.kind) {
    case 'newCommunity':
    case 'community':
      return true;
    case 'settings':
      return ACCOUNT_SETTINGS.some((each) => each === dialog.page);
    case 'about':
    case 'user':
    case undefined:
      return false;
  }
}
