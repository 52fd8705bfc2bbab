/** The path below `base`, which is empty or the path of a service. Other paths must not come. */
export function pathBelow(base: string, path: string): string {
  return path.length === base.length ? '/' : path.slice(base.length);
}

/** Returns whether a path is `base` or below it. */
export function isBelow(base: string, path: string): boolean {
  return path.startsWith(base) && (path.length === base.length || path[base.length] === '/');
}

/**
 * The path of a request's URL with doubled slashes collapsed and one trailing slash removed; neither decoded nor
 * resolved, because the runtime has resolved dot segments already and routes decode each parameter once.
 */
export function requestPath(url: string): string {
  const path = rawPath(url);
  if (!path.includes('//') && !path.endsWith('/')) return path;
  const collapsed = path.replaceAll(/\/{2,}/g, '/');
  return collapsed.length > 1 && collapsed.endsWith('/') ? collapsed.slice(0, -1) : collapsed;
}

/** The path of a request's URL as it was sent. */
export function rawPath(url: string): string {
  // If the Host header is missing or invalid, the runtime returns the path alone.
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
  if (start === -1) return '/';
  const query = url.indexOf('?', start);
  return query === -1 ? url.slice(start) : url.slice(start, query);
}
