import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { smallPng } from '@hearth/testing/browser/small-png';
import type { Someone } from '../../packages/web/test/support/someone.ts';

/** The folder of the pictures. */
export const FOLDER = join(import.meta.dirname, '../../docs/screenshots');

const MOST_BYTES = 200_000;

/** Takes a picture of the page as it is, when everything in it is drawn. */
export async function take(page: Someone['page'], name: string): Promise<void> {
  const path = join(FOLDER, `${name}.png`);
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const small = await smallPng(picture);
  writeFileSync(path, small);
  const { length: size } = small;
  process.stdout.write(`${path}: ${size} bytes\n`);
  if (size > MOST_BYTES) throw new Error(`${name} is too large`);
}
