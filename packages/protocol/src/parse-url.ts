/** Reads an address, or returns undefined if it is none. `URL.parse` is newer than some supported browsers and Node 20. */
export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
