import { effect } from '@preact/signals';
import type { Catalogue } from '../text/catalogue.ts';
import type { Communities } from '../communities/communities.ts';
import { dialogOf, shownAt, type Shown, type ShownDialog } from './shown-at.ts';
import type { AppState } from './state.ts';

/** The title of what is shown, after the number of unread messages. */
export function titleOf(name: string, unread: number): string {
  return unread === 0 ? name : `(${unread > 99 ? '99+' : unread}) ${name}`;
}

/** The name of what is shown, before that of the instance. */
export function nameOf(
  shown: Shown,
  instanceName: string,
  { places, communities }: Words & { readonly communities?: CommunityNames },
): string {
  const part = partName(shown, places, communities);
  return part === undefined ? instanceName : `${part} · ${instanceName}`;
}

type Words = Pick<Catalogue['shell'], 'places'>;

/** The names of communities and their channels. */
type CommunityNames = Pick<Communities, 'shown' | 'openPost'>;

function partName(
  shown: Shown,
  places: Words['places'],
  communities: CommunityNames | undefined,
): string | undefined {
  const dialog = dialogOf(shown);
  if (dialog !== undefined) return dialogName(dialog, places, communities);
  switch (shown.view) {
    case 'not_found':
      return places.notFoundTitle;
    case 'account':
      return places[shown.page];
    case 'find':
      return places.communities;
    case 'invite':
      return places.invite;
    case 'community':
      return communities?.shown.isNothing(shown.slug) === true
        ? places.notFoundTitle
        : (communities?.openPost.value?.title ??
            communities?.shown.nameAt(shown.slug, shown.channelId));
    case 'feed':
      return places.feed;
    case 'user':
      return `@${shown.username}`;
    case 'home':
    case 'lobby':
      return undefined;
  }
}

function dialogName(
  dialog: ShownDialog,
  places: Words['places'],
  communities: CommunityNames | undefined,
): string | undefined {
  switch (dialog.kind) {
    case 'about':
      return places.about;
    case 'settings':
      return places.settings;
    case 'user':
      return `@${dialog.username}`;
    case 'newCommunity':
      return places.newCommunity;
    case 'community': {
      const name = communities?.shown.nameAt(dialog.slug);
      return name === undefined ? places.settings : `${places.settings} · ${name}`;
    }
  }
}

/** Keeps the page's title up to date; returns a function that stops it. */
export function startTitle({ router, texts, instance, lobby, communities }: AppState): () => void {
  return effect(() => {
    const words = texts.catalogue.value.shell;
    const shown = shownAt(router.visit.value.place);
    const { places } = words;
    const name = nameOf(shown, instance.info.instance_name, { places, communities });
    document.title = titleOf(name, lobby.messages.unread.value + communities.concerns.value);
  });
}
