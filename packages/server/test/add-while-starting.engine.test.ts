import { expect, test } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OWNER } from '../src/actor.ts';
import { addStatic } from '../src/features/files/statics/add-static.ts';
import { storedFiles } from '@hearth/testing/instances/stored-files';
import { tempFolder } from '@hearth/testing/temp-folder';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { startTestInstance } from '@hearth/testing/instances/test-instance';

/** A content that arrives in two halves. The second half arrives when the test calls `finish`. */
function halves() {
  const firstRead = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  async function* content(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('first half, ');
    firstRead.resolve();
    await second.promise;
    yield Buffer.from('second half');
  }
  return { content: content(), begun: firstRead.promise, finish: () => second.resolve() };
}

test('[OP21] a static file that is being added while an instance starts is added and served', async () => {
  await using folder = await tempFolder();
  await using owner = await openTestContext({ folder: folder.path });
  const { content, begun, finish } = halves();
  const adding = addStatic(owner, OWNER, { name: 'a.txt', sizeBytes: 23, content });
  await begun;
  await using instance = await startTestInstance({ folder: folder.path });
  finish();
  await adding;
  const answer = await fetch(`${instance.addresses.files}/static/a.txt`);
  expect(await answer.text()).toBe('first half, second half');
});

test('[OP21] a start waits for a command that adds a file, and then removes what killed commands have left', async () => {
  await using folder = await tempFolder();
  const owner = await openTestContext({ folder: folder.path });
  const left = crypto.randomUUID();
  await writeFile(join(folder.path, 'data', 'blobs', 'incoming', left), 'left behind');
  const { content, begun, finish } = halves();
  const adding = addStatic(owner, OWNER, { name: 'a.txt', sizeBytes: 23, content });
  await begun;
  const starting = startTestInstance({ folder: folder.path });
  finish();
  const { blobKey } = await adding;
  await owner[Symbol.asyncDispose]();
  await using _instance = await starting;
  expect(await storedFiles(folder.path)).toEqual({ contents: [blobKey], incoming: [] });
});
