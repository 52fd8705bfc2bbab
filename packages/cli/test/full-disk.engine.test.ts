import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { useS3 } from '@hearth/testing/servers/use-s3';
import { isS3Missing } from '@hearth/testing/servers/s3-server';
import { commandsNamed, typed } from './support/every-command.ts';
import { Home } from './support/home.ts';
import { get, messageRequest, upload } from './support/talk.ts';

/** Creating so small a disk needs root. */
const CAN_MOUNT = process.platform === 'linux' && process.getuid?.() === 0;

let home: Home;
let disk: string;
/** The commands that were run on a full disk. */
let tried: string[];

beforeEach(async () => {
  home = await Home.make();
  tried = [];
  disk = home.path('disk');
  mkdirSync(disk);
  if (CAN_MOUNT) {
    const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk]);
    expect(mounted.stderr.toString()).toBe('');
  }
});

afterEach(async () => {
  await home.killAll();
  if (CAN_MOUNT) Bun.spawnSync(['umount', disk]);
  await home[Symbol.asyncDispose]();
});

test.skipIf(!CAN_MOUNT)(
  '[OP43] on a full disk, removing commands work with and without a running instance, and so does a start',
  async () => {
    const env = { DATA_DIR: `${disk}/data` };
    const running = await home.start(env);
    const { id } = await upload(home.addresses.files, 'x'.repeat(100_000));
    const second = await upload(home.addresses.files, 'y'.repeat(100_000));
    expect((await fetch(messageRequest(home.addresses.rest, 'to be removed'))).status).toBe(200);
    await home.run(['static', 'add', await home.write('a.txt', 'a')], env);
    const listed = await home.run(['messages', 'list'], env);
    const [, messageId = ''] = /(\d{20,})/.exec(listed.stdout) ?? [];

    await removed(['attachments', 'remove', id], env);
    expect((await get(`${home.addresses.files}/attachments/${id}`)).status).toBe(404);
    await removed(['messages', 'remove', messageId], env);
    await running.stop();
    await removed(['static', 'remove', 'a.txt'], env);
    await removed(['attachments', 'remove', second.id], env);
    await removed(['jobs', 'remove', 'sweep-failed-jobs'], env);
    expect(
      new Set(tried),
      'This test must run every command named remove on a full disk: add those that it lacks.',
    ).toEqual(new Set(commandsNamed('remove').map(typed)));

    fillDisk();
    const again = await home.start(env);
    expect((await again.stop()).exitCode).toBe(0);
    fillDisk();
    await home.start(env);
  },
);

describe.skipIf(!CAN_MOUNT || isS3Missing)('[OP43] with files in S3', () => {
  const s3 = useS3();

  test('a start works if the disk with the database is full', async () => {
    const env = { DATA_DIR: `${disk}/data`, ...s3().env('full-disk') };
    expect((await (await home.start(env)).stop()).exitCode).toBe(0);
    fillDisk();
    const again = await home.start(env);
    expect((await again.stop()).exitCode).toBe(0);
  });
});

/** Runs a removing command on a full disk. */
async function removed(words: readonly string[], env: Readonly<Record<string, string>>) {
  fillDisk();
  const { exitCode, stderr } = await home.run(words, env);
  expect({ words, exitCode, stderr }).toEqual({ words, exitCode: 0, stderr: '' });
  tried.push(words.slice(0, -1).join(' '));
}

/** Writes until the disk is full. */
function fillDisk(): void {
  rmSync(`${disk}/filler`, { force: true });
  const file = openSync(`${disk}/filler`, 'w');
  try {
    for (;;) writeSync(file, new Uint8Array(4_096));
  } catch {
    expect(statfsSync(disk).bavail).toBe(0);
  } finally {
    closeSync(file);
  }
}
