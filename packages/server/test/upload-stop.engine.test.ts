import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { LimitedClient } from '@hearth/testing/clients/limited-client';
import { SlowUpload } from '@hearth/testing/clients/slow-upload';
import { storedFiles } from '@hearth/testing/instances/stored-files';
import { startTestInstance } from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { encodeForm, filePart } from '@hearth/testing/clients/upload-form';

test('[FS20][OP7] an upload that is cut by a stop leaves nothing in storage', async () => {
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
