import { expect } from 'bun:test';
import type { ContentFacts } from '../../src/features/contents/inspect-content.ts';
import type { ScratchFile } from '../fixtures/media/fixtures.ts';

/** Inspects hostile bytes, which must not take a noticeable time. */
export async function inspectFast(scratch: ScratchFile, bytes: Uint8Array): Promise<ContentFacts> {
  const started = performance.now();
  const facts = await scratch.inspect(bytes);
  expect(performance.now() - started).toBeLessThan(1500);
  return facts;
}
