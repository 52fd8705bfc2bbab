/**
 * Draws the icons in `public/` from `icon.svg`: `bun packages/web/scripts/make-icons.ts [path]`. The path of Chromium is
 * /usr/bin/chromium unless given.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const PUBLIC = join(import.meta.dirname, '../public');

/** The part of a maskable icon that every system shows; the background fills the rest. */
const SAFE_SHARE = 0.8;

interface IconFile {
  readonly name: string;
  readonly pixels: number;
  /** True if the system cuts out its shape: then the background reaches the edges. */
  readonly isCut: boolean;
  readonly share: number;
}

const ICONS: readonly IconFile[] = [
  { name: 'icon-180.png', pixels: 180, isCut: true, share: 1 },
  { name: 'icon-192.png', pixels: 192, isCut: false, share: 1 },
  { name: 'icon-512.png', pixels: 512, isCut: false, share: 1 },
  { name: 'icon-maskable-512.png', pixels: 512, isCut: true, share: SAFE_SHARE },
];

const svg = await readFile(join(PUBLIC, 'icon.svg'), 'utf8');
const browser = await chromium.launch({
  executablePath: process.argv[2] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
for (const icon of ICONS) {
  const { pixels } = icon;
  const page = await browser.newPage({ viewport: { width: pixels, height: pixels } });
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${drawing(icon)}`);
  await writeFile(join(PUBLIC, icon.name), await page.screenshot({ omitBackground: true }));
  await page.close();
}
await browser.close();

function drawing({ isCut, share }: IconFile): string {
  const shape = isCut ? svg.replace('rx="15"', '') : svg;
  const margin = (1 - share) / 2;
  const place = `translate(${64 * margin} ${64 * margin}) scale(${share})`;
  return shape.replace('<g transform="', `<g transform="${place} `);
}
