import { expect, test } from 'bun:test';
import { Glob } from 'bun';

const COMMENTS = /\/\*[^]*?\*\//g;
/** Sides of the device, the middle of something, parts of names, and what the author of a table wants. */
const ALLOWED = [
  /env\(safe-area-inset-(?:left|right)\)/g,
  /\bleft: 50%;/g,
  /\.[a-z-]+-(?:left|right)\b/g,
  /(?<=\.table \s*\{\s*text-align: )(?:left|right);/g,
];
const DECLARATION = /(?<=[{;]\s*)(?:padding|margin|inset|border-(?:width|color|style)): [^;]+;/g;

/** Returns whether the second and the fourth of four values differ: they are the sides. */
function hasTwoSides(declaration: string): boolean {
  const values = declaration
    .slice(declaration.indexOf(':') + 1, -1)
    .replaceAll(/var\(([^)]*)\)/g, '$1')
    .trim()
    .split(/\s+(?![^(]*\))/);
  const isOfDevice = values.some((value) => value.includes('safe-area'));
  return values.length === 4 && values[1] !== values[3] && !isOfDevice;
}

test('[WC362] styles name no side of the screen where the direction of a text decides', async () => {
  const found: string[] = [];
  for await (const path of new Glob('*.css').scan(import.meta.dir)) {
    const styles = ALLOWED.reduce(
      (text, allowed) => text.replaceAll(allowed, ''),
      (await Bun.file(`${import.meta.dir}/${path}`).text()).replaceAll(COMMENTS, ''),
    );
    const sides = styles.split('\n').filter((line) => /\b(?:left|right)\b/.test(line));
    const pairs = Array.from(styles.matchAll(DECLARATION), ([each]) => each).filter(hasTwoSides);
    found.push(...[...sides, ...pairs].map((line) => `${path}: ${line.trim()}`));
  }
  expect(found).toEqual([]);
});
