import {
  encodeForm,
  filePart,
  postForm,
  randomBytes,
  upload,
} from '@hearth/testing/clients/upload-form';
import { readValidationError } from '@hearth/testing/clients/read-error';
import { asOwner, type DataPlace } from '@hearth/testing/instances/as-owner';
import type { TestInstance } from '@hearth/testing/instances/test-instance';
import { limitsToml } from '@hearth/testing/instances/limits-toml';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { OWNER } from '../src/actor.ts';
import { describeStorage } from '../src/features/files/uploads/describe-storage.ts';
import { listUploads } from '../src/features/files/uploads/list-uploads.ts';
import { removeUpload } from '../src/features/files/uploads/remove-upload.ts';

const QUOTA = 1_000_000;

/** An instance file with a quota, and limits that no test reaches. */
export const QUOTA_TOML = limitsToml({ limit: 100_000, file_size_limit: '100GB' }).replace(
  '[effis.rate_limits]',
  `[effis]\ntotal_size = ${QUOTA}\n[effis.rate_limits]`,
);

/** An instance with that file, and its file services. */
export interface QuotaInstance extends AsyncDisposable {
  readonly place: DataPlace;
  readonly processes: readonly Pick<TestInstance, 'addresses'>[];
}

/** The quota of all uploads, on an instance of any kind. */
export function quotaContract(
  name: string,
  start: () => Promise<QuotaInstance>,
  { skip = false } = {},
): void {
  describe.skipIf(skip)(`on ${name},`, () => {
    let instance: QuotaInstance;
    const filesOf = (index: number) =>
      instance.processes[index % instance.processes.length]?.addresses.files ?? '';
    const use = () =>
      asOwner(instance.place, async (ctx) => (await describeStorage(ctx, OWNER)).bytes);
    const removeAll = () =>
      asOwner(instance.place, async (ctx) => {
        for (const { id } of await listUploads(ctx, OWNER)) await removeUpload(ctx, OWNER, id);
      });

    beforeAll(async () => {
      instance = await start();
    });

    afterAll(() => instance?.[Symbol.asyncDispose]());

    test('[MO23, MO24] uploads at the same time to every file service never take more than the quota together', async () => {
      const forms = Array.from({ length: 16 }, () => encodeForm(filePart(randomBytes(150_000))));
      const answers = await Promise.all(
        forms.map((form, index) => postForm(`${filesOf(index)}/attachments`, form)),
      );
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([...Array<number>(6).fill(200), ...Array<number>(10).fill(422)]);
      for (const refused of answers.filter(({ status }) => status === 422)) {
        expect(await readValidationError(refused)).toEqual({
          field: 'file',
          error: expect.stringMatching(
            /^must fit into the \d+ bytes that are left for all uploads together$/,
          ),
        });
      }
      expect(await use()).toBe(900_000);
      await removeAll();
      expect(await use()).toBe(0);
    });

    test('[MO23] a file that fits exactly is taken, one byte more is not, and the same bytes count once', async () => {
      const file = randomBytes(QUOTA - 10);
      await upload(filesOf(0), file);
      const tooLarge = await postForm(
        `${filesOf(1)}/attachments`,
        encodeForm(filePart(randomBytes(11))),
      );
      expect(await readValidationError(tooLarge)).toMatchObject({
        error: 'must fit into the 10 bytes that are left for all uploads together',
      });
      const last = randomBytes(10);
      await upload(filesOf(1), last);
      expect(await use()).toBe(QUOTA);
      const small = randomBytes(10);
      const statusOf = async (bytes: Uint8Array<ArrayBuffer>) =>
        (await postForm(filesOf(0), encodeForm(filePart(bytes)))).status;
      expect(await statusOf(small)).toBe(422);
      // Only of a small upload it is known in time that it takes nothing.
      expect([await statusOf(last), await statusOf(file)]).toEqual([200, 422]);
      expect(await use()).toBe(QUOTA);
      await removeAll();
      await upload(filesOf(0), small);
      await upload(filesOf(1), small, 'again.bin');
      expect(await use()).toBe(10);
      await removeAll();
      expect(await use()).toBe(0);
    });
  });
}
