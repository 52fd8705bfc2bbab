import type { launchChromium } from '@hearth/testing/browser/chromium';
import { BRIDGE, FIGS, GREENHOUSE, LOAF, STREET } from './drawings.ts';
import { BEDS } from './talk.ts';

type Browser = Awaited<ReturnType<typeof launchChromium>>;

const DRAWINGS = {
  'lanterns.png': STREET,
  'loaf.png': LOAF,
  'greenhouse.png': GREENHOUSE,
  'bridge.png': BRIDGE,
  'figs.png': FIGS,
};

/** The files that the neighbours send, by their names. */
export async function drawnFiles(browser: Browser): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const page = await browser.newPage();
  for (const [name, drawing] of Object.entries(DRAWINGS)) {
    const [, width = '0', height = '0'] = /width="(\d+)" height="(\d+)"/.exec(drawing) ?? [];
    await page.setViewportSize({ width: Number(width), height: Number(height) });
    await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${drawing}`);
    files.set(name, await page.screenshot());
  }
  await page.close();
  files.set('choir.wav', hum(194));
  files.set('beds.ts', Buffer.from(BEDS));
  files.set('festival-permit.pdf', Buffer.from(`%PDF-1.4\n${'% permit\n'.repeat(20_000)}%%EOF\n`));
  return files;
}

/** A sound of so many seconds. */
function hum(seconds: number): Uint8Array {
  const rate = 8_000;
  const data = Buffer.alloc(seconds * rate, 128);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + data.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}
