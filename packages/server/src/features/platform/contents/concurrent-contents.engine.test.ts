import { expect, test } from 'bun:test';
import { NotFoundError } from '@hearth/protocol';
import { contentOf } from '@hearth/testing/instances/static-files';
import { storedFiles } from '@hearth/testing/instances/stored-files';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { countedIds } from '@hearth/testing/ports/id-source';
import { storeUpload } from '@hearth/testing/ports/upload-verbs';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { tempFolder } from '@hearth/testing/temp-folder';
import fc from 'fast-check';
import { OWNER } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { ownerOutbox } from '../../../ports/outbox/outbox.ts';
import { addStatic, removeStatic } from '../../files/statics/add-static.ts';
import { listStatics } from '../../files/statics/list-statics.ts';
import { listUploads } from '../../files/uploads/list-uploads.ts';
import { removeUpload } from '../../files/uploads/remove-upload.ts';

/** An act of a process with one of a few contents, at the same time as acts of others. */
const act = fc.record({
  what: fc.constantFrom('upload', 'remove upload', 'add static', 'remove static'),
  process: fc.nat({ max: 1 }),
  content: fc.constantFrom('a', 'b'),
  name: fc.constantFrom('one.txt', 'other.txt'),
});

type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

async function perform(ctx: InstanceContext, { what, content, name }: Act): Promise<void> {
  switch (what) {
    case 'upload':
      await storeUpload(ctx, content, { bucket: 'static' });
      return;
    case 'remove upload': {
      const [upload] = await listUploads(ctx, OWNER);
      if (upload !== undefined) await removeUpload(ctx, OWNER, upload.id);
      return;
    }
    case 'add static':
      await addStatic(ctx, OWNER, contentOf(name, content));
      return;
    case 'remove static':
      await removeStatic(ctx, OWNER, name);
  }
}

async function removeAll(ctx: InstanceContext): Promise<void> {
  for (const { id } of await listUploads(ctx, OWNER)) await removeUpload(ctx, OWNER, id);
  for (const { name } of await listStatics(ctx, OWNER)) await removeStatic(ctx, OWNER, name);
}

onEachDatabase((open) => {
  test('[FS18][FS19] whatever two processes add and remove at the same time, exactly the contents in use are kept', async () => {
    await using folder = await tempFolder();
    await using ctx = await openTestContext({ folder: folder.path });
    await using database = await open();
    await using other = await database.openAgain();
    const ids = countedIds();
    const databases = [database, other].map((each) => ownerOutbox(each));
    const processes = databases.map((each) => ({ ...ctx, ids, database: each }));
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 8, maxLength: 24 }), async (acts) => {
        await removeAll({ ...ctx, database: ownerOutbox(database) });
        expect(await storedFiles(folder.path)).toEqual({ contents: [], incoming: [] });
        const outcomes = await Promise.allSettled(
          acts.map(async (each) => perform(processes[each.process] ?? ctx, each)),
        );
        const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
        expect(failures.filter((error) => !(error instanceof NotFoundError))).toEqual([]);
        const { reader } = database;
        const rows = {
          uploads: await reader.selectFrom('uploads').select('blob_key').execute(),
          statics: await reader.selectFrom('statics').select('blob_key').execute(),
          contents: await reader.selectFrom('contents').select('blob_key').execute(),
        };
        const keysOf = (list: readonly { readonly blob_key: string }[]) =>
          [...new Set(list.map((row) => row.blob_key))].toSorted();
        const referred = keysOf([...rows.uploads, ...rows.statics]);
        expect(keysOf(rows.contents)).toEqual(referred);
        expect(await storedFiles(folder.path)).toEqual({ contents: referred, incoming: [] });
      }),
      { numRuns: 12 },
    );
  });
});
