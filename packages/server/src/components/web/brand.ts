import { inspectContent } from '@hearth/media';
import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { formatByteSize } from '../../config/byte-size.ts';
import { failureReason, quote } from '../../config/wording.ts';
import { StartError } from '../../lib/start-error.ts';
import { accentStyles } from './accent.ts';
import { ASSETS, etagOf, type Manifest, type Site, type SiteFile } from './site.ts';

export interface Icon {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly contentType: string;
  /** Without a dot. */
  readonly ending: string;
  /** As a manifest writes them: `512x512`, or `any`. */
  readonly sizes: string;
}

const MOST_BYTES = 1_000_000;

const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
};

/** Reads the icon that the instance file names, if it names one. Throws StartError. */
export async function readIcon({
  settings,
  deployment,
}: Pick<Config, 'settings'> & {
  readonly deployment: Pick<Config['deployment'], 'instanceFile'>;
}): Promise<Icon | undefined> {
  const { icon } = settings.web;
  if (icon === undefined) return undefined;
  const refuse = (problem: string): never => {
    throw new StartError(
      `web.icon: expected a PNG, SVG or WebP file, got ${quote(icon)}, ${problem}`,
    );
  };
  const path = resolve(dirname(deployment.instanceFile), icon);
  try {
    const found = await stat(path);
    if (!found.isFile()) return refuse('which is not a file');
    if (found.size > MOST_BYTES) {
      return refuse(`which has more than ${formatByteSize(MOST_BYTES)}`);
    }
    return (await iconAt(path, found.size)) ?? refuse('which is none of these');
  } catch (error) {
    if (StartError.is(error)) throw error;
    return refuse(`which cannot be read: ${failureReason(error)}`);
  }
}

async function iconAt(path: string, sizeBytes: number): Promise<Icon | undefined> {
  const bytes = Buffer.from(await readFile(path));
  const { contentType, metadata } = await inspectContent(path, sizeBytes, isUtf8(bytes));
  const ending = ENDINGS[contentType];
  if (ending === undefined) return undefined;
  if (metadata.type === 'image') {
    return { bytes, contentType, ending, sizes: `${metadata.width}x${metadata.height}` };
  }
  return ending === 'svg' ? { bytes, contentType, ending, sizes: 'any' } : undefined;
}

/** Choices of an owner for the looks of the web client. */
export interface Brand {
  readonly icon: Icon | undefined;
  /** As `#rrggbb`. */
  readonly accent: string | undefined;
}

const HASH_CHARACTERS = 12;

const ICON_LINKS = /<link rel="(icon|apple-touch-icon)"[^>]*>/g;
const END_OF_STYLES = /(<link rel="stylesheet"[^>]*>)(?![\s\S]*<link rel="stylesheet")/;

/** The files of the build that show Hearth's own icon outside of the page, such as in notifications. */
const OWN_ICONS = ['/icon.svg', '/icon-180.png', '/icon-192.png', '/icon-512.png'];

/** Reads what the instance file says about the looks of the web client. Throws StartError. */
export async function readBrand(config: Config): Promise<Brand> {
  return { icon: await readIcon(config), accent: config.settings.web.accent };
}

/** The web client with the instance's own icon and colour. */
export function branded(site: Site, { icon, accent }: Brand): Site {
  const withIcon = icon === undefined ? site : iconSite(site, icon);
  return accent === undefined ? withIcon : accentSite(withIcon, accent);
}

function iconSite(site: Site, icon: Icon): Site {
  const { contentType, ending, sizes, bytes } = icon;
  const path = versioned('icon', bytes, ending);
  const file = fileOf(bytes, contentType);
  const replaced = OWN_ICONS.filter((own) => site.files.has(own));
  const link = (rel: string) => `<link rel="${rel}" href="${path}" type="${contentType}" />`;
  return {
    page: site.page.replace(ICON_LINKS, (_whole, rel: string) => link(rel)),
    manifest: site.manifest && {
      ...site.manifest,
      icons: [{ src: path, sizes, type: contentType, purpose: 'any' }],
    },
    files: new Map([
      ...site.files,
      ...replaced.map((own) => [own, { ...file, isImmutable: false }] as const),
      [`/${path}`, file],
    ]),
  };
}

function accentSite(site: Site, accent: string): Site {
  const styles = Buffer.from(accentStyles(accent));
  const path = versioned('accent', styles, 'css');
  const link = `<link rel="stylesheet" href="${path}" />`;
  const manifest: Manifest | undefined = site.manifest && { ...site.manifest, theme_color: accent };
  return {
    // After the page's own styles, which it overrides.
    page: site.page.replace(END_OF_STYLES, (own) => `${own}\n    ${link}`),
    manifest,
    files: new Map([...site.files, [`/${path}`, fileOf(styles, 'text/css; charset=utf-8')]]),
  };
}

/** The path of a file that is named after its content, relative to the page. */
function versioned(name: string, content: Uint8Array, ending: string): string {
  const hash = etagOf(content).slice(1, 1 + HASH_CHARACTERS);
  return `${ASSETS.slice(1)}${name}-${hash}.${ending}`;
}

function fileOf(bytes: Buffer<ArrayBuffer>, contentType: string): SiteFile {
  const plain = { body: new Blob([bytes]), etag: etagOf(bytes) };
  return { contentType, isImmutable: true, plain, encoded: [] };
}
