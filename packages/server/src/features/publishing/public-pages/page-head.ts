import { escapeHtml, jsonForScript } from '../../../lib/html.ts';

/** The facts of a place that crawlers, and programs that show a link, read. */
export interface PageHead {
  readonly title: string;
  readonly description: string | undefined;
  /** The id of a picture that everyone may see. */
  readonly picture: string | undefined;
  /** True if search engines may list the place. */
  readonly isListed: boolean;
  /** The usual one of its addresses, absolute. */
  readonly canonical?: string | undefined;
  /** The kind of thing that it is, for programs that show links; a website by default. */
  readonly kind?: 'article' | 'profile' | 'website' | undefined;
  /** The addresses at which its posts can be followed, absolute. */
  readonly feeds?: readonly FeedLink[] | undefined;
  /** Data about it for search engines: JSON-LD (schema.org). */
  readonly data?: object | undefined;
  /** The HTML that it shows until the page is there, and to those who have no script. */
  readonly body?: string | undefined;
}

export interface FeedLink {
  readonly title: string;
  readonly url: string;
  readonly format: 'rss' | 'atom';
}

/** A document that is served at a place instead of the page. */
export interface PlaceDocument {
  readonly contentType: string;
  readonly text: string;
}

/** HTML in which a page describes its place. */
export interface PlaceHead {
  /** Elements of the head, except for the picture, whose address is that of the file service. */
  readonly head: string;
  readonly picture: string | undefined;
  /** HTML that it shows until the page is there; undefined if none. */
  readonly body: string | undefined;
}

/** More is not shown anywhere. */
const MOST_DESCRIPTION_CHARACTERS = 300;

export function headHtml(head: PageHead, instanceName: string): PlaceHead {
  const { title, isListed, picture, body } = head;
  const elements = [
    `<title>${escapeHtml(`${title} · ${instanceName}`)}</title>`,
    ...(isListed ? [] : ['<meta name="robots" content="noindex" />']),
    ...properties(head, instanceName).map(property),
  ];
  const description = shortened(head.description);
  if (description !== undefined) {
    elements.push(`<meta name="description" content="${escapeHtml(description)}" />`);
  }
  if (head.canonical !== undefined) {
    elements.push(`<link rel="canonical" href="${escapeHtml(head.canonical)}" />`);
  }
  for (const { title: name, url, format } of head.feeds ?? []) {
    elements.push(
      `<link rel="alternate" type="application/${format}+xml" title="${escapeHtml(name)}" href="${escapeHtml(url)}" />`,
    );
  }
  if (head.data !== undefined) {
    elements.push(`<script type="application/ld+json">${jsonForScript(head.data)}</script>`);
  }
  return { head: elements.join('\n    '), picture, body };
}

/** An element that describes a page. */
export function property([name, content]: readonly [name: string, content: string]): string {
  return `<meta property="${name}" content="${escapeHtml(content)}" />`;
}

function properties(
  { title, description, canonical, kind = 'website' }: PageHead,
  instanceName: string,
): readonly (readonly [string, string])[] {
  const short = shortened(description);
  return [
    ['og:type', kind],
    ...(canonical === undefined ? [] : [['og:url', canonical] as const]),
    ['og:site_name', instanceName],
    ['og:title', title],
    ...(short === undefined ? [] : [['og:description', short] as const]),
  ];
}

/** In one line, cut between characters as readers see them. */
function shortened(text: string | undefined): string | undefined {
  const line = text?.replaceAll(/\s+/g, ' ').trim();
  if (line === undefined || line === '') return undefined;
  const characters = [...line];
  if (characters.length <= MOST_DESCRIPTION_CHARACTERS) return line;
  return `${characters
    .slice(0, MOST_DESCRIPTION_CHARACTERS - 1)
    .join('')
    .trimEnd()}…`;
}
