import { expect, test } from 'bun:test';
import { Glob } from 'bun';

const SOURCES = `${import.meta.dir}/..`;

test('[WC361] nothing in the client changes what is written in a box past the history of the browser', async () => {
  const others: string[] = [];
  for await (const path of new Glob('**/*.{ts,tsx}').scan(SOURCES)) {
    const source = await Bun.file(`${SOURCES}/${path}`).text();
    const isOther = /\.setRangeText\(|\b(?:box|input|textarea|element)\.value = (?!'')/;
    if (isOther.test(source)) others.push(path);
  }
  expect(others).toEqual(['ui/insert-text.ts']);
});
