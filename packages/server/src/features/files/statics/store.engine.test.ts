import { expect, test } from 'bun:test';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { insertContent } from '../../platform/contents/store.ts';
import { deleteStatic, putStatic, selectStatic, selectStatics } from './store.ts';

onEachDatabase((open) => {
  test('[OP12] static files are found by their names, and listed in the order of their names', async () => {
    await using database = await open();
    const names = ['a.png', 'Z.png', 'é.png', 'b.png', '_.png'];
    await database.transaction(async ({ sql: writer }) => {
      await insertContent(writer, {
        blobKey: 'blob',
        bucket: 'static',
        sha256: 'aa',
        sizeBytes: 5_000_000_000,
        contentType: 'image/png',
        metadata: { type: 'other' },
      });
      for (const [index, name] of names.entries()) {
        const addedAtMs = 1_800_000_000_000 + index;
        await putStatic(writer, { name, blobKey: 'blob', contentType: 'image/png', addedAtMs });
      }
    });
    const reader = database.reader;
    const listed = await selectStatics(reader);
    expect(listed.map(({ name }) => name)).toEqual(['Z.png', '_.png', 'a.png', 'b.png', 'é.png']);
    const file = {
      name: 'é.png',
      sizeBytes: 5_000_000_000,
      contentType: 'image/png',
      addedAtMs: 1_800_000_000_002,
      sha256: 'aa',
      blobKey: 'blob',
    };
    expect([listed.at(-1), await selectStatic(reader, 'é.png')]).toEqual([file, file]);
    expect(await selectStatic(reader, 'z.png')).toBeUndefined();
    const remove = () => database.transaction(({ sql: writer }) => deleteStatic(writer, 'é.png'));
    expect([await remove(), await remove()]).toEqual(['blob', undefined]);
  });
});
