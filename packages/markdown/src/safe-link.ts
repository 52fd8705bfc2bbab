/** The target of a link, and the part of it that the text hides. */
export interface SafeLink {
  readonly href: string;
  /** The host, if the text looks like another address or hides a part of this one. */
  readonly warnHost: string | undefined;
}

const SCHEMES: readonly string[] = ['http:', 'https:', 'mailto:'];
const LOOKS_LIKE_ADDRESS = /^\s*(?:[a-z][a-z0-9+.-]*:\/*)?((?:[^\s/@?#:.]+\.)+[^\s/@?#:.]{2,})/iu;

/** `href` as a link that is safe to follow, shown as `text`; undefined unless it is a web or mail address. */
export function safeLink(href: string, text: string): SafeLink | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  if (!SCHEMES.includes(url.protocol)) return undefined;
  if (url.protocol === 'mailto:') return { href: url.href, warnHost: undefined };
  const shown = LOOKS_LIKE_ADDRESS.exec(text)?.[1]?.toLowerCase();
  const isOther = shown !== undefined && bare(shown) !== bare(url.hostname);
  const isDisguised = url.username !== '' || url.hostname.includes('xn--');
  return { href: url.href, warnHost: isOther || isDisguised ? url.host : undefined };
}

function bare(host: string): string {
  return host.replace(/^www\./, '');
}
