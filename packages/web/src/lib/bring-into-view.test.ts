import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { distanceTo } from './bring-into-view.ts';

const VIEW = { top: 50, bottom: 150 };

test.each([
  ['is in view', { top: 60, bottom: 140 }, 0, 0],
  ['is below', { top: 200, bottom: 220 }, 70, 110],
  ['is above', { top: -30, bottom: -10 }, -80, -120],
  ['is below and higher than the view', { top: 200, bottom: 500 }, 150, 150],
  ['is above and higher than the view', { top: -400, bottom: 0 }, -150, -450],
  ['begins above the view and ends below it', { top: 0, bottom: 400 }, 0, -50],
])('[WC341] the list goes as far as it takes to show what %s', (_, shown, nearest, middle) => {
  expect(distanceTo(shown, VIEW, 'nearest')).toBe(nearest);
  expect(distanceTo(shown, VIEW, 'middle')).toBe(middle);
});

test('[WC341][WC341a] nothing of the page scrolls by scrollIntoView, which moves the whole page too', () => {
  const folder = join(import.meta.dirname, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
  const using = sources.filter((file) =>
    /\.scrollIntoView/.test(readFileSync(join(folder, file), 'utf8')),
  );
  expect(using).toEqual([]);
});
