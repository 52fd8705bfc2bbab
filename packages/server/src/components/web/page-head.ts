import { joinUrl, MEDIA_PATH } from '@hearth/protocol';
import type { View } from './view.ts';

/** What crawlers, and programs that show a link, read about a place. */
export interface PageHead {
  readonly title: string;
  readonly description: string | undefined;
  /** The id of a picture that everyone may see. */
  readonly picture: string | undefined;
  /** Whether search engines may list the place. */
  readonly isListed: boolean;
}

/** Describes a place by the parameters of its address; undefined if there is nothing to say to everyone. Never rejects. */
export type HeadOf = (params: Readonly<Record<string, string>>) => Promise<PageHead | undefined>;

/** By the paths of places. */
export type Heads = ReadonlyMap<string, HeadOf>;

/** The size of pictures: programs show them at this size or a smaller one. */
const PICTURE_SIZE = 400;

/** More is not shown anywhere. */
const MOST_DESCRIPTION_CHARACTERS = 300;

const TITLE = /<title>[^<]*<\/title>/;

/** What a head depends on besides the place. */
export interface Surroundings {
  readonly view: Pick<View, 'addresses'>;
  readonly instanceName: string;
}

/** The page with what programs read about the place. */
export function withHead(page: string, head: PageHead, around: Surroundings): string {
  const { title, isListed } = head;
  const { instanceName } = around;
  const elements = [
    `<title>${escapeHtml(`${title} · ${instanceName}`)}</title>`,
    ...(isListed ? [] : ['<meta name="robots" content="noindex" />']),
    ...properties(head, around).map(
      ([name, content]) => `<meta property="${name}" content="${escapeHtml(content)}" />`,
    ),
  ];
  const description = shortened(head.description);
  if (description !== undefined) {
    elements.push(`<meta name="description" content="${escapeHtml(description)}" />`);
  }
  return page.replace(TITLE, () => elements.join('\n    '));
}

/** Escapes a text for an element or an attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function properties(
  { title, description, picture }: PageHead,
  { view, instanceName }: Surroundings,
): readonly (readonly [string, string])[] {
  const short = shortened(description);
  const image =
    picture === undefined
      ? undefined
      : `${joinUrl(view.addresses.files, MEDIA_PATH, picture)}?size=${PICTURE_SIZE}`;
  return [
    ['og:type', 'website'],
    ['og:site_name', instanceName],
    ['og:title', title],
    ...(short === undefined ? [] : [['og:description', short] as const]),
    ...(image === undefined ? [] : [['og:image', image] as const]),
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
