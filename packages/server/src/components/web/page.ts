import { joinUrl, MEDIA_PATH, type InstanceInfo, type OwnServices } from '@hearth/protocol';
import { ANYONE } from '../../actor.ts';
import type { ServiceContext } from '../../context.ts';
import { describeInstance } from '../../features/platform/instance-info/instance-info.ts';
import { property, type PlaceHead } from '../../features/publishing/public-pages/public-pages.ts';
import { escapeHtml, jsonForScript } from '../../lib/html.ts';
import type { Manifest } from './site.ts';
import type { View } from './view.ts';

/** The place in a built page for the instance information. */
const INFO_ELEMENT = /(<script type="application\/json" id="instance-info">)(<\/script>)/;
/** From where the page's addresses count; a place may be several segments below. */
const BASE = '<base href="./" />';
const END = '</script>';
const TITLE = /<title>[^<]*<\/title>/;
/** The element in which the page shows itself. */
const ROOT = '<div id="app"></div>';

/** The size of pictures: programs show them at this size or a smaller one. */
const PICTURE_SIZE = 400;

/** A page in two halves, with the instance information between them. */
export interface PageTemplate {
  readonly before: string;
  readonly after: string;
}

/**
 * The halves of a built page, with the instance's name as title. Throws if the page has no base or no place for the
 * information.
 */
export function pageTemplate(page: string, title: string): PageTemplate {
  if (!page.includes(BASE)) throw new Error(`the page of the web client has no ${BASE}`);
  const titled = page.replace(TITLE, () => `<title>${escapeHtml(title)}</title>`);
  const [before, start, end, after] = titled.split(INFO_ELEMENT);
  if (before === undefined || start === undefined || end === undefined || after === undefined) {
    throw new Error('the page of the web client has no element for the instance information');
  }
  return { before: before + start, after: end + after };
}

/** The page with the information about the instance in it, what it finds at its own origin, and whether it needs a code. */
export function renderPage(
  { before, after }: PageTemplate,
  info: InstanceInfo,
  own: OwnServices,
): string {
  const others =
    Object.keys(own.paths).length === 0 && own.access_code !== true
      ? ''
      : `<script type="application/json" id="own-services">${jsonForScript(own)}</script>`;
  return `${before}${jsonForScript(info)}${after.replace(END, () => `${END}${others}`)}`;
}

/**
 * The page as it is sent at `path`: its addresses count from the folder of the place `/`, which a proxy may put below a path. `path`
 * is that of the request, as it was sent.
 */
export function pageAt(page: string, path: string): string {
  const depth = path.split('/').length - 2;
  return depth <= 0 ? page : page.replace(BASE, () => `<base href="${'../'.repeat(depth)}" />`);
}

/** The web client's information about the instance: its addresses are those of the view. */
export function instanceInfo(ctx: ServiceContext, { addresses }: View): InstanceInfo {
  return describeInstance({ ...ctx, addresses }, ANYONE);
}

/** The manifest of the installable client, under the instance's own name. */
export function renderManifest(
  manifest: Manifest,
  { instance_name, description }: InstanceInfo,
): string {
  const named = { ...manifest, name: instance_name, short_name: instance_name };
  return JSON.stringify(description === null ? named : { ...named, description });
}

/** The page with what programs read about its place. */
export function withHead(
  page: string,
  { head, picture, body }: PlaceHead,
  { addresses }: Pick<View, 'addresses'>,
): string {
  const image =
    picture === undefined
      ? ''
      : property([
          'og:image',
          `${joinUrl(addresses.files, MEDIA_PATH, picture)}?size=${PICTURE_SIZE}`,
        ]);
  const titled = page.replace(TITLE, () => head + image);
  return body === undefined
    ? titled
    : titled.replace(ROOT, () => `<div id="app"><main class="plain">${body}</main></div>`);
}
