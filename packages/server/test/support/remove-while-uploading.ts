import { expect } from 'bun:test';
import { readError } from '@hearth/testing/clients/read-error';
import { removingProcess } from '@hearth/testing/instances/remove-uploads';
import { storedFiles } from '@hearth/testing/instances/stored-files';
import { startTestInstance } from '@hearth/testing/instances/test-instance';
import { randomBytes, upload } from '@hearth/testing/clients/upload-form';

/** Removes an upload while its bytes are uploaded again, so often, and expects that no new upload is harmed. */
export async function removeWhileUploading(rounds: number): Promise<void> {
  await using instance = await startTestInstance();
  await using owner = removingProcess(instance.folder);
  expect(await owner.says()).toBe('ready');
  const { files } = instance.addresses;
  const bytes = randomBytes(10_000);
  const remove = async (id: string) => {
    await owner.send(id);
    expect(await owner.says()).toBe(id);
    expect((await readError(await fetch(`${files}/${id}`))).status).toBe(404);
  };
  const expectWhole = async (id: string) => {
    const answer = await fetch(`${files}/${id}`);
    expect(answer.status).toBe(200);
    expect(await answer.bytes()).toEqual(Uint8Array.from(bytes));
  };

  let last = (await upload(files, bytes)).id;
  for (let round = 0; round < rounds; round += 1) {
    const removed = remove(last);
    const again = await Promise.all([upload(files, bytes), upload(files, bytes)]);
    await removed;
    for (const { id } of again) await expectWhole(id);
    const [first, second] = again.map(({ id }) => id);
    const others = Promise.all([upload(files, bytes), remove(first ?? '')]);
    await expectWhole(second ?? '');
    last = (await others)[0].id;
    await remove(second ?? '');
    await expectWhole(last);
  }
  expect((await storedFiles(instance.folder)).contents).toHaveLength(1);
  await remove(last);
  expect(await storedFiles(instance.folder)).toEqual({ contents: [], incoming: [] });
}
