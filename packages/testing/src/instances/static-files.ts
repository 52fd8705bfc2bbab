import { addStatic } from '../../../server/src/features/files/statics/add-static.ts';
import type { StaticFile } from '../../../server/src/features/files/statics/store.ts';
import { OWNER } from '../../../server/src/actor.ts';
import { openTestContext } from './test-context.ts';
import type { TestInstance } from './test-instance.ts';

/** Adds a static file like the owner's command, while the instance runs. */
export async function addStaticFile(
  instance: Pick<TestInstance, 'folder'>,
  name: string,
  bytes: Uint8Array | string,
): Promise<StaticFile> {
  await using ctx = await openTestContext(instance);
  return await addStatic(ctx, OWNER, contentOf(name, bytes));
}

/** A static file to add, of bytes. */
export function contentOf(name: string, bytes: Uint8Array | string) {
  const content = Buffer.from(bytes);
  return { name, sizeBytes: content.length, content: inChunks(content) };
}

async function* inChunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}
