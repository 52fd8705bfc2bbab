/** A path of this page, as `webPath` returns it, for links: relative to where the page is, which a proxy may have chosen. */
export function ownPath(path: string): string {
  return `./${path.replace(/^\/+/, '')}`;
}

/** Loads the page again, at a path of it. */
export function loadAt(path: string): void {
  const { href } = new URL(ownPath(path), document.baseURI);
  // With the same address, or another fragment only, nothing would be loaded.
  if (href.split('#')[0] === location.href.split('#')[0]) {
    history.replaceState(history.state, '', href);
    location.reload();
  } else location.assign(href);
}
