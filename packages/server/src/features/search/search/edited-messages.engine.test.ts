import { formatId, type Id } from '@hearth/protocol';
import { ChangedLobby } from '@hearth/testing/instances/changed-lobby';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { expect, test } from 'bun:test';
import { ANYONE, OWNER } from '../../../actor.ts';
import { jsonLogger } from '../../../log/logger.ts';
import { changeMessage } from '../../talk/lobby/changes/change-message.ts';
import { deleteMessage } from '../../talk/lobby/changes/delete-message.ts';
import { insertStatement } from '../../talk/lobby/store.ts';
import { Indexer } from './indexer.ts';
import { rebuildSearch } from './search.ts';
import { searchLobby } from './search-lobby.ts';

/** Blocks of both smaller sizes, and some messages that are in none. */
const MESSAGES = 1_300;

const idOf = (number: number): Id => formatId({ seconds: number, instanceId: 1, sequence: 0 });

onEachDatabase((open) => {
  test('[LA12] a message that was edited is found by its new words only, before and after they are indexed', async () => {
    await using database = await open();
    await using lobby = await ChangedLobby.open(database, { messages: 5_000, days: 36_500 });
    const { ctx } = lobby;
    const ada = await lobby.addUser('ada');
    const author = { id: ada.user_id, username: 'ada' };
    const messages = Array.from({ length: MESSAGES }, (_, index) => {
      const content = `everywhere word${index + 1}x`;
      const message = { id: idOf(index + 1), author: 'ada', content, created_at: 1, user: author };
      return { number: index + 1, message };
    });
    await database.transaction((tx) => tx.run(insertStatement(messages).statement));
    const log = jsonLogger('error', (line) => expect(line).toBe(''));
    let meanwhile = async () => {};
    const pause = async () => {
      const run = meanwhile;
      meanwhile = async () => {};
      await run();
    };
    await using indexer = new Indexer({ database, clock: lobby.clock, log, pause });
    const found = async (q: string) =>
      (await searchLobby(ctx, ANYONE, { q, limit: 5 })).found.map(({ id }) => id);
    const edit = (number: number, content: string) =>
      changeMessage(ctx, ada, { id: idOf(number), content });
    const edits = async () =>
      (await database.reader.selectFrom('message_edits').selectAll().execute()).length;
    // While its block is being indexed.
    meanwhile = async () => void (await edit(3, 'zebra everywhere'));
    await indexer.run();
    expect(await edits()).toBe(0);
    const edited = [3, 700, 1_150, MESSAGES - 1];
    const check = async () => {
      expect(await found('zebra')).toEqual(edited.map(idOf).toReversed());
      expect(await found('zeb')).toEqual(edited.map(idOf).toReversed());
      expect(await found('zebra everywhere')).toEqual(edited.map(idOf).toReversed());
      for (const number of edited) expect(await found(`word${number}x`)).toEqual([]);
      expect(await found('word701x')).toEqual([idOf(701)]);
    };
    for (const number of edited.slice(1)) await edit(number, 'everywhere zebra');
    expect(await edits()).toBe(3);
    await check();
    await indexer.run();
    // The last one is in no block yet.
    expect(await edits()).toBe(1);
    await check();
    // Changed back.
    await edit(700, 'everywhere word700x');
    edited.splice(1, 1);
    for (const step of [async () => {}, () => indexer.run(), () => rebuildSearch(ctx, OWNER)]) {
      await step();
      expect(await found('word700x')).toEqual([idOf(700)]);
      await check();
    }
    await indexer.run();
    await check();
    await edit(3, 'giraffe');
    await deleteMessage(ctx, ada, { id: idOf(3) });
    expect(await found('giraffe')).toEqual([]);
    await indexer.run();
    expect([await found('giraffe'), await edits()]).toEqual([[], 1]);
  });
});
