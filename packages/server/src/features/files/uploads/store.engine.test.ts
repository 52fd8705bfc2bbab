import { parseId, type Id } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { ownerOutbox } from '../../../ports/outbox/outbox.ts';
import { insertContent } from '../../platform/contents/store.ts';
import { deleteUpload, insertUpload, selectUpload, selectUploads } from './store.ts';

function idOf(text: string): Id {
  const id = parseId(text);
  if (id === undefined) throw new Error(`${text} is not an identifier`);
  return id;
}

onEachDatabase((open) => {
  test('[OP14] uploads are found by their ids, and listed with the oldest first', async () => {
    await using database = await open();
    await using opened = await openTestContext();
    const ctx = { ...opened, database: ownerOutbox(database) };
    const metadata = { type: 'image', width: 3, height: 4 } as const;
    const contents = {
      sha256: 'aa',
      sizeBytes: 5_000_000_000,
      contentType: 'image/png',
      metadata,
      placeholder: 'ab==',
    };
    const upload = { bucket: 'attachments', name: 'naïve "👩‍👩‍👧".png', key: null };
    const row = { ...upload, blob_key: 'blob', spoiler: 1, user_id: null };
    await database.transaction(async ({ sql: writer }) => {
      await insertContent(writer, { ...contents, blobKey: 'blob', bucket: 'attachments' });
      for (const id of ['100', '9', '11', '340282366920938463463374607431768211455', '8']) {
        const uploaded_at_ms = id === '8' ? 1_800_000_000_001 : 1_800_000_000_000;
        await insertUpload(writer, { ...row, id: idOf(id), uploaded_at_ms });
      }
    });
    const listed = await selectUploads(ctx);
    expect(listed.map(({ id }): string => id)).toEqual([
      '9',
      '11',
      '100',
      '340282366920938463463374607431768211455',
      '8',
    ]);
    const found = {
      ...upload,
      ...contents,
      id: idOf('8'),
      blobKey: 'blob',
      spoiler: true,
      userId: null,
      uploadedAtMs: 1_800_000_000_001,
      isPublic: true,
    };
    expect(await selectUpload(ctx, 'attachments', idOf('8'))).toEqual(found);
    expect(await selectUpload(ctx, 'static', idOf('8'))).toBeUndefined();
    const remove = () => database.transaction(({ sql: writer }) => deleteUpload(writer, idOf('8')));
    expect([await remove(), await remove()]).toEqual(['blob', undefined]);
  });
});
