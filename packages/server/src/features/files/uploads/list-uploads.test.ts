import { parseId } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { fakeClock } from '@hearth/testing/fake-clock';
import { idsFrom } from '@hearth/testing/ports/id-source';
import { openUploadContext, storeUpload } from '@hearth/testing/ports/upload-verbs';
import { OWNER } from '../../../actor.ts';
import { listUploads } from './list-uploads.ts';

test('[OP14] uploads are listed with the oldest first, those of one millisecond by their ids', async () => {
  await using opened = await openUploadContext();
  const clock = fakeClock();
  const prepared = ['100', '9', '11', '10', '99', '8'].values();
  const ids = idsFrom(() => {
    const id = parseId(prepared.next().value ?? '');
    if (id === undefined) throw new Error('no identifier is left');
    return id;
  });
  const ctx = { ...opened, clock, ids };
  for (let upload = 0; upload < 5; upload += 1) await storeUpload(ctx, 'same');
  clock.advance(1);
  await storeUpload(ctx, 'same');
  const listed: readonly string[] = (await listUploads(ctx, OWNER)).map(({ id }) => id);
  expect(listed).toEqual(['9', '10', '11', '99', '100', '8']);
});
