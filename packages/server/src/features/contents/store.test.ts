import { expect, test } from 'bun:test';
import { onEachDatabase } from '../../../test/support/each-database.ts';
import { insertStatic } from '../statics/store.ts';
import {
  discardContent,
  findContentKey,
  forgetDiscardedBlob,
  hasContents,
  insertContent,
  isRecorded,
  isReferred,
  listDiscardedBlobs,
  type Content,
} from './store.ts';

function content(blobKey: string, sha256: string): Content {
  const metadata = { type: 'image', width: 3, height: 4 } as const;
  const sizeBytes = Number.MAX_SAFE_INTEGER;
  return { blobKey, bucket: 'static', sha256, sizeBytes, contentType: 'image/png', metadata };
}

onEachDatabase((open) => {
  test('contents are found by what is in them, and discarded together with their record', async () => {
    await using database = await open();
    const reader = await database.reader();
    expect([await hasContents(database), await listDiscardedBlobs(database)]).toEqual([false, []]);
    await database.transaction(async (writer) => {
      await insertContent(writer, content('one', 'aa'));
      await insertContent(writer, content('other', 'bb'));
      const record = { name: 'a.png', blobKey: 'one', contentType: 'image/png', addedAtMs: 1 };
      await insertStatic(writer, record);
    });
    expect(await hasContents(database)).toBe(true);
    expect(await findContentKey(reader, 'static', 'bb')).toBe('other');
    expect(await findContentKey(reader, 'attachments', 'bb')).toBeUndefined();
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

    await database.transaction((writer) => discardContent(writer, 'other'));
    expect([await isRecorded(reader, 'other'), await listDiscardedBlobs(database)]).toEqual([
      false,
      ['other'],
    ]);
    await database.transaction((writer) => forgetDiscardedBlob(writer, 'other'));
    expect(await listDiscardedBlobs(database)).toEqual([]);
  });

  test('the same content is recorded once a bucket', async () => {
    await using database = await open();
    const record = (key: string) =>
      database.transaction((writer) => insertContent(writer, content(key, 'aa')));
    await record('one');
    await expect(record('other')).rejects.toThrow();
    expect(await isRecorded(await database.reader(), 'other')).toBe(false);
  });
});
