import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { formatByteSize } from '../../config/byte-size.ts';
import type { Config } from '../../config/config.ts';
import { failureReason, quote } from '../../config/wording.ts';
import { inspectContent } from '../../features/platform/contents/contents.ts';
import { StartError } from '../../lib/start-error.ts';

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
