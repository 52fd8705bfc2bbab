import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { LimitedClient } from './support/limited-client.ts';
import { SlowUpload } from './support/slow-upload.ts';
import { storedFiles } from './support/stored-files.ts';
import { startTestInstance } from './support/test-instance.ts';
import { until } from './support/until.ts';
import { encodeForm, filePart } from './support/upload-form.ts';

test('[FS20][OP7] an upload that a stop cuts leaves nothing behind', async () => {
  await using instance = await startTestInstance();
  const form = encodeForm(filePart(randomBytes(100_000)));
  using upload = await SlowUpload.begin(instance.addresses.files, {
    client: new LimitedClient(),
    form,
  });
  await upload.send(50_000);
  await until(async () => (await storedFiles(instance.folder)).incoming.length > 0);
  await instance.stop();
  expect(await storedFiles(instance.folder)).toEqual({ contents: [], incoming: [] });
});
