import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accentStyles, BACKGROUNDS, shadesOf } from './accent.ts';
import { contrast, hexOf, oklchOf, rgbFrom, rgbOf } from './colour.ts';

const TOKENS = join(import.meta.dirname, '../../../../web/src/styles/tokens.css');
const hex = fc
  .integer({ min: 0, max: 0xff_ff_ff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('[WC91] whatever the accent is, it can be read on every background of each theme', () => {
  const samples = ['#000000', '#ffffff', '#ffff00', '#0000ff', '#00ff00', '#777777'];
  fc.assert(
    fc.property(hex, (accent) => {
      for (const theme of ['light', 'dark'] as const) {
        const shades = shadesOf(accent, theme);
        for (const background of [...BACKGROUNDS[theme], shades.soft, shades.onAccent]) {
          expect(contrast(rgbOf(shades.accent), rgbOf(background))).toBeGreaterThanOrEqual(4.5);
        }
      }
    }),
    { examples: samples.map((sample) => [sample]) },
  );
});

test('[WC91] an accent that can be read stays as it is', () => {
  expect(shadesOf('#0b57d0', 'light')).toEqual({
    accent: '#0b57d0',
    onAccent: '#ffffff',
    soft: expect.stringMatching(/^#[0-9a-f]{6}$/),
  });
  expect(shadesOf('#8ab4f8', 'dark')).toMatchObject({ accent: '#8ab4f8', onAccent: '#000000' });
});

test('[WC91] an accent keeps its hue where it has to become darker or lighter', () => {
  for (const [theme, accent] of [
    ['light', '#ffd400'],
    ['dark', '#0b1f8f'],
  ] as const) {
    const shade = oklchOf(rgbOf(shadesOf(accent, theme).accent));
    expect(Math.abs(shade.hue - oklchOf(rgbOf(accent)).hue)).toBeLessThan(0.1);
    expect(shade.chroma).toBeGreaterThan(0.05);
  }
});

test('[WC91] the stylesheet sets the colours of both themes, and nothing else', () => {
  expect(accentStyles('#0b57d0')).toMatch(
    /^:root\{(--[a-z-]+:#[0-9a-f]{6};?){4}\}\n:root\[data-theme='dark'\]\{(--[a-z-]+:#[0-9a-f]{6};?){4}\}\n$/,
  );
});

test('[WC91] the backgrounds are those of the page', async () => {
  const [, light = '', dark = ''] = (await readFile(TOKENS, 'utf8')).split(/^:root/gm);
  for (const [theme, tokens] of Object.entries({ light, dark })) {
    const found = ['paper', 'raised', 'sunk'].map(
      (name) => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(tokens)?.[1],
    );
    expect(found).toEqual([...BACKGROUNDS[theme === 'light' ? 'light' : 'dark']]);
  }
});

test('a colour survives the way to OKLCH and back', () => {
  fc.assert(
    fc.property(hex, (colour) => expect(hexOf(rgbFrom(oklchOf(rgbOf(colour))))).toBe(colour)),
  );
});
