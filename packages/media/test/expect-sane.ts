import { expect } from 'bun:test';
import type { ContentFacts } from '../src/inspect-content.ts';

/** Fails if something is found in a content that must not be found in any bytes. */
export function expectSane({ contentType, metadata }: ContentFacts): void {
  expect(contentType).toMatch(
    /^(application|audio|font|image|model|video)\/[\w.+-]+(; codecs=opus)?$/,
  );
  expect(contentType).not.toMatch(/xml|html|script$/);
  if (metadata.type !== 'image' && metadata.type !== 'video') {
    expect(metadata).toEqual({ type: 'other' });
    return;
  }
  for (const side of [metadata.width, metadata.height]) {
    expect(Number.isInteger(side) && side >= 1 && side < 2 ** 31).toBe(true);
  }
}
