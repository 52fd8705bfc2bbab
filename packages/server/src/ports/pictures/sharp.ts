import { promises } from 'node:fs';
import type sharp from 'sharp';
import type { Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import type { Logger } from '../../log/logger.ts';
import { threadShares } from '../../runtime/thread-pool.ts';
import { PictureQueue, type QueueBounds } from './picture-queue.ts';
import {
  PicturesUnavailableError,
  type Pictures,
  type PictureSource,
  type VariantFormat,
  type VariantWish,
} from './pictures.ts';

/** Pixels of a picture, or of all pictures of an animation, that are decoded at most: that takes up to 256 MiB. */
const MOST_PIXELS = 2 ** 26;

/** How long one picture may take. */
const MOST_SECONDS = 10;

/** The longest side that a ThumbHash can be made from. */
const HASHED_SIDE = 100;

/** Loaders of other formats are left out: fewer of them means less that hostile bytes can reach. */
const LOADERS = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((name) => `VipsForeignLoad${name}`);

/**
 * Screens with two pixels per CSS pixel show variants of this size, at half of it, so they need less quality for each
 * pixel. Smaller ones are shown as they are, and the largest fills the window.
 */
const DENSE_PIXELS = 800;

type Library = typeof sharp;

/** What the engine needs. */
export interface SharpOptions {
  readonly log: Logger;
  /** For tests. */
  readonly bounds?: Partial<QueueBounds>;
  /** Pixels of all pictures of an animated variant; of a longer animation, the first picture is taken. */
  readonly mostAnimatedPixels?: number;
}

/** Pictures through libvips, which is loaded when the first picture comes. */
export function sharpPictures({
  log,
  bounds,
  mostAnimatedPixels = 2 ** 24,
}: SharpOptions): Pictures {
  const queue = new PictureQueue({
    lanes: threadShares().pictures,
    most: 64,
    waitMs: 5_000,
    ...bounds,
  });
  let loading: Promise<Library> | undefined;
  const load = () =>
    (loading ??= loadSharp().catch((error: unknown) => {
      log.error({ err: error }, 'pictures have no previews: sharp could not be loaded');
      throw new PicturesUnavailableError('sharp could not be loaded', { cause: error });
    }));
  const attempt = <Result>(
    source: PictureSource,
    work: (library: Library) => Promise<Result>,
  ): Promise<Result | undefined> =>
    queue.run(async () => {
      const library = await load();
      try {
        return await work(library);
      } catch {
        await requireReadable(source);
        // Whatever is wrong with the picture will be wrong the next time too. That includes one that took too long:
        // if it were tried again for each request, it would always occupy a lane.
        return undefined;
      }
    });
  return {
    placeholder: (source) => attempt(source, (library) => placeholderOf(library, source)),
    variant: (source, wish) =>
      attempt(source, (library) => variantOf(library, source, { ...wish, mostAnimatedPixels })),
  };
}

// The library reports a file that it cannot open, for example because too many are open, like one that is no picture.
async function requireReadable(source: PictureSource): Promise<void> {
  if (typeof source !== 'string') return;
  try {
    await using _file = await promises.open(source, 'r');
  } catch (error) {
    throw new PicturesUnavailableError('the file cannot be opened', { cause: error });
  }
}

// Only when it is needed, because loading it takes as long as the rest of a start.
async function loadSharp(): Promise<Library> {
  const { default: library } = await import('sharp');
  library.cache(false);
  library.concurrency(1);
  library.block({ operation: ['VipsForeignLoad'] });
  library.unblock({ operation: LOADERS });
  return library;
}

function open(library: Library, source: PictureSource, isAnimated = false): Sharp {
  return library(source, {
    limitInputPixels: MOST_PIXELS,
    // A photograph that breaks off is shown as far as it goes, as browsers do.
    failOn: 'none',
    animated: isAnimated,
  })
    .timeout({ seconds: MOST_SECONDS })
    .autoOrient();
}

async function placeholderOf(library: Library, source: PictureSource): Promise<string> {
  const { data, info } = await open(library, source)
    .resize(HASHED_SIDE, HASHED_SIDE, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}

async function variantOf(
  library: Library,
  source: PictureSource,
  { pixels, format, mostAnimatedPixels }: VariantWish & { readonly mostAnimatedPixels: number },
): Promise<Uint8Array> {
  const { hasAlpha, width, height, pages = 1 } = await open(library, source).metadata();
  const shrunk = Math.min(1, pixels / Math.max(width, height));
  const isShort =
    width * height * pages <= MOST_PIXELS &&
    width * height * pages * shrunk ** 2 <= mostAnimatedPixels;
  const isAnimated = pages > 1 && isShort && format !== 'plain';
  const small = open(library, source, isAnimated)
    .resize(pixels, pixels, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
  const picture = { small, hasAlpha, isDense: pixels === DENSE_PIXELS };
  return encoded(isAnimated ? 'webp' : format, picture).toBuffer();
}

interface SmallPicture {
  readonly small: Sharp;
  readonly hasAlpha: boolean;
  readonly isDense: boolean;
}

function encoded(format: VariantFormat, { small, hasAlpha, isDense }: SmallPicture): Sharp {
  switch (format) {
    case 'avif': {
      const look = isDense
        ? ({ quality: 45, chromaSubsampling: '4:2:0' } as const)
        : { quality: 55 };
      // The least effort is as fast as WebP, and smaller than WebP with much of it.
      return small.avif({ ...look, effort: 0 });
    }
    case 'webp':
      return small.webp({ quality: 78, effort: 2 });
    case 'plain':
      return hasAlpha ? small.png() : small.jpeg({ quality: 80 });
  }
}
