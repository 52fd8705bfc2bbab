import type { Router } from './router.ts';

/**
 * Opens links to places of this page without loading it again; one with `data-replaces` takes the place of the current entry
 * of the browser's history, and one with `data-page` is shown by itself. Returns a function that stops it.
 */
export function followLinks(router: Router): () => void {
  const follow = (event: MouseEvent) => {
    const link = linkOf(event);
    if (link === undefined || router.placeAt(link.href) === undefined) return;
    event.preventDefault();
    router.goTo(link.href, {
      isReplacing: 'replaces' in link.dataset,
      isPage: 'page' in link.dataset,
    });
  };
  document.addEventListener('click', follow);
  return () => document.removeEventListener('click', follow);
}

/** The link of a plain click; undefined for clicks that mean something else to the browser. */
function linkOf(event: MouseEvent): HTMLAnchorElement | undefined {
  const { target, button, defaultPrevented } = event;
  const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
  if (defaultPrevented || button !== 0 || hasModifier || !(target instanceof Element)) {
    return undefined;
  }
  const link = target.closest('a');
  return link === null || link.href === '' || link.hasAttribute('download') ? undefined : link;
}
