import type { Router } from './router.ts';

/** Opens links to places of this page without loading it again; returns a function that stops it. */
export function followLinks(router: Router): () => void {
  const follow = (event: MouseEvent) => {
    const url = linkOf(event);
    if (url === undefined || router.placeAt(url.href) === undefined) return;
    event.preventDefault();
    router.goTo(url.href);
  };
  document.addEventListener('click', follow);
  return () => document.removeEventListener('click', follow);
}

/** The target of a plain click on a link; undefined for clicks that mean something else to the browser. */
function linkOf(event: MouseEvent): URL | undefined {
  const { target, button, defaultPrevented } = event;
  const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
  if (defaultPrevented || button !== 0 || hasModifier || !(target instanceof Element)) {
    return undefined;
  }
  const link = target.closest('a');
  if (link === null || link.href === '' || link.hasAttribute('download')) return undefined;
  return new URL(link.href);
}
