import { promises } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { sha256Of } from '../../runtime/sha256.ts';

/** The bytes of a file as they are sent, in one encoding. */
export interface Variant {
  readonly body: Blob;
  /** In quotes; a strong validator, so every encoding has its own. */
  readonly etag: string;
}

export interface SiteFile {
  readonly contentType: string;
  /** True if its name changes with its content. */
  readonly isImmutable: boolean;
  readonly plain: Variant;
  /** Its compressed variants, the best encoding first. */
  readonly encoded: readonly (Variant & { readonly encoding: string })[];
}

export type Manifest = Readonly<Record<string, unknown>>;

/** A built web client, wholly in memory. */
export interface Site {
  /** The page, without the information about the instance. */
  readonly page: string;
  /** The manifest of the installable client, without the instance's name; a client may have none. */
  readonly manifest: Manifest | undefined;
  /** All other files by their paths. */
  readonly files: ReadonlyMap<string, SiteFile>;
}

/** The page's file, without which a folder is no web client. */
export const PAGE_FILE = 'index.html';

export const MANIFEST_FILE = 'manifest.webmanifest';

/** The folder of files that are named after their content. */
export const ASSETS = '/assets/';

/** The endings of compressed copies, the best encoding first. */
const ENCODINGS = [
  { ending: '.br', encoding: 'br' },
  { ending: '.gz', encoding: 'gzip' },
] as const;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  ico: 'image/x-icon',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  webp: 'image/webp',
  woff2: 'font/woff2',
};

/** Reads a built web client: its page, its manifest, what is named after its content in `assets`, and the rest. Throws. */
export async function loadSite(folder: string): Promise<Site> {
  const found = await readAll(folder);
  const page = take(found, PAGE_FILE);
  if (page === undefined) throw new Error(`${folder} has no ${PAGE_FILE}`);
  const manifest = take(found, MANIFEST_FILE);
  const isCopy = (path: string) => ENCODINGS.some(({ ending }) => isCopyOf(found, path, ending));
  const originals = Array.from(found).filter(([path]) => !isCopy(path));
  return {
    page: page.toString(),
    manifest: manifest === undefined ? undefined : objectIn(manifest),
    files: new Map(originals.map(([path, bytes]) => [path, siteFile(found, path, bytes)])),
  };
}

type Found = Map<string, Buffer<ArrayBuffer>>;

async function readAll(folder: string): Promise<Found> {
  const entries = await promises.readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      paths.map(async (path): Promise<[string, Buffer<ArrayBuffer>]> => [
        `/${relative(folder, path).replaceAll(sep, '/')}`,
        await promises.readFile(path),
      ]),
    ),
  );
}

function take(found: Found, name: string): Buffer<ArrayBuffer> | undefined {
  const bytes = found.get(`/${name}`);
  found.delete(`/${name}`);
  return bytes;
}

function isCopyOf(found: Found, path: string, ending: string): boolean {
  return path.endsWith(ending) && found.has(path.slice(0, -ending.length));
}

function siteFile(found: Found, path: string, content: Buffer<ArrayBuffer>): SiteFile {
  return {
    contentType: contentTypeOf(path),
    isImmutable: path.startsWith(ASSETS),
    plain: variant(content),
    encoded: ENCODINGS.flatMap(({ ending: copy, encoding }) => {
      const bytes = found.get(path + copy);
      return bytes === undefined ? [] : [{ ...variant(bytes), encoding }];
    }),
  };
}

/** The type of a file, by the end of its name. */
export function contentTypeOf(path: string): string {
  const ending = path.slice(path.lastIndexOf('.') + 1);
  return CONTENT_TYPES[ending] ?? 'application/octet-stream';
}

function variant(bytes: Buffer<ArrayBuffer>): Variant {
  return { body: new Blob([bytes]), etag: etagOf(bytes) };
}

export function etagOf(content: Uint8Array): string {
  return `"${sha256Of(content)}"`;
}

function objectIn(json: Buffer): Manifest {
  const value: unknown = JSON.parse(json.toString());
  if (typeof value !== 'object' || value === null)
    throw new Error(`${MANIFEST_FILE} is not an object`);
  return { ...value };
}
