import { expect, test } from 'bun:test';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { putStatic } from '../../files/statics/store.ts';
import {
  discardContent,
  findContentKey,
  forgetDiscardedBlob,
  hasContents,
  insertContent,
  isRecorded,
  isReferred,
  listDiscardedBlobs,
  recordOnce,
  type Content,
} from './store.ts';

function content(blobKey: string, sha256: string): Content {
  const metadata = { type: 'image', width: 3, height: 4 } as const;
  const sizeBytes = Number.MAX_SAFE_INTEGER;
  return { blobKey, bucket: 'static', sha256, sizeBytes, contentType: 'image/png', metadata };
}

onEachDatabase((open) => {
  test('contents are found by their hash, and discarded together with their record', async () => {
    await using database = await open();
    const reader = database.reader;
    expect([await hasContents(reader), await listDiscardedBlobs(reader)]).toEqual([false, []]);
    await database.transaction(async ({ sql: writer }) => {
      await insertContent(writer, content('one', 'aa'));
      await insertContent(writer, content('other', 'bb'));
      const record = { name: 'a.png', blobKey: 'one', contentType: 'image/png', addedAtMs: 1 };
      await putStatic(writer, record);
    });
    expect(await hasContents(reader)).toBe(true);
    expect(await findContentKey(reader, { bucket: 'static', sha256: 'bb' })).toBe('other');
    expect(await findContentKey(reader, { bucket: 'attachments', sha256: 'bb' })).toBeUndefined();
    const keys = ['one', 'other', 'none'];
    expect(await Promise.all(keys.map((key) => isRecorded(reader, key)))).toEqual([
      true,
      true,
      false,
    ]);
    expect(await Promise.all(keys.map((key) => isReferred(reader, key)))).toEqual([
      true,
      false,
      false,
    ]);

    await database.transaction(({ sql: writer }) => discardContent(writer, 'other'));
    expect([await isRecorded(reader, 'other'), await listDiscardedBlobs(reader)]).toEqual([
      false,
      ['other'],
    ]);
    await database.transaction(({ sql: writer }) => forgetDiscardedBlob(writer, 'other'));
    expect(await listDiscardedBlobs(reader)).toEqual([]);
  });

  test('the same content is recorded once per bucket', async () => {
    await using database = await open();
    const record = (key: string) =>
      database.transaction(({ sql }) => recordOnce(sql, content(key, 'aa')));
    expect([await record('one'), await record('other')]).toEqual(['one', 'one']);
    expect(await isRecorded(database.reader, 'other')).toBe(false);
  });
});
