import { type FileData, type Id, idParts, parseId } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { fakeClock } from '@hearth/testing/fake-clock';
import { tempFolder } from '@hearth/testing/temp-folder';
import { GENEROUS_LIMITS, startTestInstance } from '@hearth/testing/instances/test-instance';
import { randomBytes, upload } from '@hearth/testing/clients/upload-form';

const EPOCH_MS = 1_650_000_000_000;

function idOf({ id }: FileData): Id {
  const parsed = parseId(id);
  if (parsed === undefined) throw new Error(`no identifier: ${id}`);
  return parsed;
}

test('[ID1][ID2][ID3] the id of a file is a decimal string of time, instance and sequence', async () => {
  const clock = fakeClock();
  await using instance = await startTestInstance({ clock });
  const startSeconds = (clock.unixMs() - EPOCH_MS) / 1_000;
  clock.advance(61_000);
  const { files } = instance.addresses;
  const ids = [await upload(files, 'one'), await upload(files, 'two')].map(idOf);
  const parts = { seconds: startSeconds + 61, instanceId: startSeconds };
  expect(ids.map(idParts)).toEqual([
    { ...parts, sequence: 0 },
    { ...parts, sequence: 1 },
  ]);
});

test('[ID2] a file is found only under its id as it was given, not under another spelling of the number', async () => {
  await using instance = await startTestInstance();
  const { files } = instance.addresses;
  const { id } = await upload(files, 'content');
  const statuses: number[] = [];
  for (const path of [
    id,
    `0${id}`,
    `+${id}`,
    `${id}.0`,
    `0x${BigInt(id).toString(16)}`,
    `%20${id}`,
  ]) {
    const answer = await fetch(`${files}/attachments/${path}`);
    await answer.bytes();
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([200, 404, 404, 404, 404, 404]);
});

test('[ID3][ID4][ID6] ids rise and name the same instance across restarts, whatever the clock says', async () => {
  await using folder = await tempFolder();
  const clock = fakeClock();
  const options = { toml: GENEROUS_LIMITS, folder: folder.path, clock };
  const ids: Id[] = [];
  for (const stepMs of [0, 0, -3_600_000, 86_400_000]) {
    clock.setUnixMs(clock.unixMs() + stepMs);
    await using instance = await startTestInstance(options);
    const { files } = instance.addresses;
    const uploads = Array.from({ length: 20 }, () => upload(files, randomBytes(64)));
    const ofThisLife = (await Promise.all(uploads)).map(idOf);
    const newest = ids.reduce((most, id) => (BigInt(id) > most ? BigInt(id) : most), 0n);
    expect(ofThisLife.every((id) => BigInt(id) > newest)).toBe(true);
    ids.push(...ofThisLife);
  }
  expect(new Set(ids).size).toBe(80);
  expect(new Set(ids.map((id) => idParts(id).instanceId)).size).toBe(1);
});
