import { effect } from '@preact/signals';
import type { Catalogue } from '../text/catalogue.ts';
import { shownAt, type Shown } from './shown-at.ts';
import type { AppState } from './state.ts';

/** The title of what is shown, after the number of unread messages. */
export function titleOf(name: string, unread: number): string {
  return unread === 0 ? name : `(${unread > 99 ? '99+' : unread}) ${name}`;
}

/** The name of what is shown, before that of the instance. */
export function nameOf(shown: Shown, instanceName: string, { places }: Words): string {
  const part = partName(shown, places);
  return part === undefined ? instanceName : `${part} · ${instanceName}`;
}

type Words = Pick<Catalogue['shell'], 'places'>;

function partName(shown: Shown, places: Words['places']): string | undefined {
  switch (shown.view) {
    case 'not_found':
      return places.notFoundTitle;
    case 'account':
      return places[shown.page];
    case 'lobby':
      return dialogName(shown, places);
  }
}

function dialogName(
  { dialog }: Extract<Shown, { readonly view: 'lobby' }>,
  places: Words['places'],
): string | undefined {
  switch (dialog?.kind) {
    case 'about':
      return places.about;
    case 'settings':
      return places.settings;
    case 'user':
      return `@${dialog.username}`;
    case undefined:
      return undefined;
  }
}

/** Keeps the page's title up to date; returns a function that stops it. */
export function startTitle({ router, texts, instance, lobby }: AppState): () => void {
  return effect(() => {
    const words = texts.catalogue.value.shell;
    const shown = shownAt(router.visit.value.place);
    const name = nameOf(shown, instance.info.instance_name, words);
    document.title = titleOf(name, lobby.messages.unread.value);
  });
}
