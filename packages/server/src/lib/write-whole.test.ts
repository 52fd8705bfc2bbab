import { expect, test } from 'bun:test';
import { closeSync, constants, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder } from '@hearth/testing/temp-folder';
import { writeWhole } from './write-whole.ts';

const TEXT = 'é'.repeat(500_000);

test('all of a text is written, also to a pipe that does not wait for its reader', async () => {
  await using folder = await tempFolder();
  const [pipe, copy] = [join(folder.path, 'pipe'), join(folder.path, 'copy')];
  Bun.spawnSync(['mkfifo', pipe]);
  // Open for reading as well, so that it can be opened before there is a reader.
  const descriptor = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  const reader = Bun.spawn(['sh', '-c', `cat '${pipe}' > '${copy}'`]);
  writeWhole(descriptor, TEXT);
  // The reader may open it only now, and then finds what is in it.
  while ((await Bun.file(copy).exists()) === false) await Bun.sleep(1);
  closeSync(descriptor);
  expect(await reader.exited).toBe(0);
  expect(await readFile(copy, 'utf8')).toBe(TEXT);
});

test('what the system refuses is thrown', () => {
  const descriptor = openSync('/dev/null', 'r');
  expect(() => writeWhole(descriptor, 'x')).toThrow('EBADF');
  closeSync(descriptor);
});
