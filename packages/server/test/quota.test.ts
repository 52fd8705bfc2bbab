import { rawRequest, requestLines } from '@hearth/testing/clients/raw-http';
import { startTestInstance } from '@hearth/testing/instances/test-instance';
import { readValidationError } from '@hearth/testing/clients/read-error';
import { expect, test } from 'bun:test';
import { quotaContract, QUOTA_TOML } from './quota.contract.ts';

quotaContract('an embedded instance', async () => {
  const instance = await startTestInstance({ toml: QUOTA_TOML });
  return {
    place: instance,
    processes: [instance],
    [Symbol.asyncDispose]: () => instance[Symbol.asyncDispose](),
  };
});

test('[MO23] an upload that cannot fit is refused before its bytes are read', async () => {
  await using instance = await startTestInstance({ toml: QUOTA_TOML });
  const lines = requestLines(
    'POST',
    '/attachments',
    'Content-Type: multipart/form-data; boundary=x',
    'Content-Length: 2000000',
  );
  const refused = await rawRequest(instance.addresses.files, lines);
  expect(await readValidationError(refused)).toEqual({
    field: 'file',
    error: 'must fit into the 1000000 bytes that are left for all uploads together',
  });
});
