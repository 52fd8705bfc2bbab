/** `text` as an http(s) address without a slash at its end, query or fragment; a bare `host:port` is one of http. */
export function baseUrl(text: string | URL): string {
  const given = String(text).trim();
  const url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError(`An instance has an http or https address, not ${given}`);
  }
  url.search = '';
  url.hash = '';
  return url.href.replace(/\/+$/, '');
}

/** `base` with `segments` behind its path, each encoded as a whole. */
export function under(base: string, ...segments: readonly string[]): string {
  return [base.replace(/\/+$/, ''), ...segments.map(encodeURIComponent)].join('/');
}

/** `url` with these parameters; undefined ones are left out. */
export function withQuery(
  url: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  if (parameters.size === 0) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${parameters.toString()}`;
}
