import { promises } from 'node:fs';
import type sharp from 'sharp';
import type { Metadata, Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import type { Logger } from '../../log/logger.ts';
import { threadShares } from '../../runtime/thread-pool.ts';
import { decodedBytes, type MadePicture, type PictureFacts } from './decoded-bytes.ts';
import { heifPixels } from './heif-pixels.ts';
import { memoryBounds, PictureMemory, type MemoryBounds } from './picture-memory.ts';
import { PictureQueue, type QueueBounds } from './picture-queue.ts';
import { readingBytes } from './reading-bytes.ts';
import {
  PicturesUnavailableError,
  type Pictures,
  type PictureSource,
  type ReadPicture,
  type VariantFormat,
  type VariantWish,
} from './pictures.ts';

/** Pixels of a picture, or of all pictures of an animation, that are decoded at most, whatever memory there is. */
const MOST_PIXELS = 2 ** 26;

/** The longest time that one picture may take. */
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

export interface SharpOptions {
  readonly log: Logger;
  /** For tests. */
  readonly bounds?: Partial<QueueBounds>;
  readonly memory?: MemoryBounds;
  /** Pixels of all pictures of an animated variant; of a longer animation, the first picture is taken. */
  readonly mostAnimatedPixels?: number;
}

/** Pictures through libvips, which is loaded when the first picture comes. */
export function sharpPictures({
  log,
  bounds,
  memory: mostMemory = memoryBounds(),
  mostAnimatedPixels = 2 ** 24,
}: SharpOptions): Pictures {
  const queue = new PictureQueue({
    lanes: threadShares().pictures,
    most: 64,
    waitMs: 5_000,
    ...bounds,
  });
  const memory = new PictureMemory(mostMemory);
  let loading: Promise<Library> | undefined;
  const load = () =>
    (loading ??= loadSharp().catch((error: unknown) => {
      log.error({ err: error }, 'pictures have no previews: sharp could not be loaded');
      throw new PicturesUnavailableError('sharp could not be loaded', { cause: error });
    }));
  const attempt = <Result>(
    source: PictureSource,
    work: (picture: Opened) => Promise<Result>,
  ): Promise<Result | undefined> =>
    queue.run(async () => {
      const library = await load();
      const read = typeof source === 'function' ? await readNow(source) : source;
      try {
        return await work({ library, source: read, memory, reading: await readingBytes(read) });
      } catch {
        await requireReadable(read);
        // Whatever is wrong with the picture will be wrong the next time too. That includes one that took too long:
        // if it were tried again for each request, it would always occupy a lane.
        return undefined;
      }
    });
  return {
    placeholder: (source) => attempt(source, placeholderOf),
    variant: (source, wish) =>
      attempt(source, (picture) => variantOf(picture, { ...wish, mostAnimatedPixels })),
  };
}

async function readNow(read: () => Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await read();
  } catch (error) {
    throw new PicturesUnavailableError('the picture cannot be read', { cause: error });
  }
}

// The library reports a file that it cannot open, for example because too many are open, like one that is no picture.
async function requireReadable(source: ReadPicture): Promise<void> {
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

function open(library: Library, source: ReadPicture, isAnimated = false): Sharp {
  return library(source, {
    limitInputPixels: MOST_PIXELS,
    // A photograph that breaks off is shown as far as it goes, as browsers do.
    failOn: 'none',
    animated: isAnimated,
  })
    .timeout({ seconds: MOST_SECONDS })
    .autoOrient();
}

/** A picture, and what it is decoded with. */
interface Opened {
  readonly library: Library;
  readonly source: ReadPicture;
  readonly memory: PictureMemory;
  /** The memory that reading the file takes. */
  readonly reading: number;
}

async function headerOf({ library, source, memory, reading }: Opened): Promise<Metadata> {
  using _memory = await memory.take(reading);
  return await open(library, source).metadata();
}

async function placeholderOf(opened: Opened): Promise<string> {
  const { library, source, memory } = opened;
  const facts = factsOf(await headerOf(opened));
  const made = { format: 'raw', pixels: HASHED_SIDE ** 2 } as const;
  using _memory = await memory.take(await bytesOf(opened, facts, made));
  const { data, info } = await open(library, source)
    .resize(HASHED_SIDE, HASHED_SIDE, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}

async function variantOf(
  opened: Opened,
  { pixels, format, mostAnimatedPixels }: VariantWish & { readonly mostAnimatedPixels: number },
): Promise<Uint8Array> {
  const { library, source, memory } = opened;
  const metadata = await headerOf(opened);
  const { hasAlpha, width, height, pages = 1 } = metadata;
  const shrunk = Math.min(1, pixels / Math.max(width, height));
  const isShort =
    width * height * pages <= MOST_PIXELS &&
    width * height * pages * shrunk ** 2 <= mostAnimatedPixels;
  const isAnimated = pages > 1 && isShort && format !== 'plain';
  const made = {
    format: isAnimated ? 'webp' : format,
    pixels: width * height * shrunk ** 2,
  } as const;
  const facts = { ...factsOf(metadata), frames: isAnimated ? pages : 1 };
  using _memory = await memory.take(await bytesOf(opened, facts, made));
  const small = open(library, source, isAnimated)
    .resize(pixels, pixels, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
  const picture = { small, hasAlpha, isDense: pixels === DENSE_PIXELS };
  // In this function, because the memory is taken as long as it runs.
  return await encoded(made.format, picture).toBuffer();
}

function factsOf({ format, width, height }: Metadata): PictureFacts {
  return { format, codedPixels: width * height, frames: 1 };
}

async function bytesOf(
  { source, reading }: Opened,
  facts: PictureFacts,
  made: MadePicture,
): Promise<number> {
  const known = facts.format === 'heif' ? await heifPixels(source) : 0;
  const coded = { ...facts, codedPixels: Math.max(facts.codedPixels, known) };
  return reading + decodedBytes(coded, made);
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
