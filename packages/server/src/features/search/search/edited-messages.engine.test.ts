import { formatId, type Id } from '@hearth/protocol';
import { ChangedLobby } from '@hearth/testing/instances/changed-lobby';
import { indexSearch, wordsInIndex } from '@hearth/testing/instances/index-search';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { expect, test } from 'bun:test';
import { ANYONE, OWNER } from '../../../actor.ts';
import { changeMessage } from '../../talk/lobby/changes/change-message.ts';
import { deleteMessage } from '../../talk/lobby/changes/delete-message.ts';
import { insertStatement } from '../../talk/lobby/store.ts';
import { rebuildSearch, search } from './search.ts';

const MESSAGES = 1_300;

const idOf = (number: number): Id => formatId({ seconds: number, instanceId: 1, sequence: 0 });

onEachDatabase((open) => {
  test('[LA12] a message that was edited is found by its new words only', async () => {
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
    const index = (pause = async () => {}) =>
      indexSearch({ database, clock: lobby.clock }, { pause });
    const found = async (q: string) =>
      (await search(ctx, ANYONE, { kind: 'messages', q, limit: 5 })).found.map(({ id }) => id);
    const edit = (number: number, content: string) =>
      changeMessage(ctx, ada, { id: idOf(number), content });
    const noted = async () =>
      (await database.reader.selectFrom('search_queue').selectAll().execute()).length;
    // While it is being indexed.
    let isFirst = true;
    await index(async () => {
      if (isFirst) await edit(3, 'zebra everywhere');
      isFirst = false;
    });
    expect(await noted()).toBe(0);
    const edited = [3, 700, 1_150, MESSAGES - 1];
    const check = async () => {
      expect(await found('zebra')).toEqual(edited.map(idOf).toReversed());
      expect(await found('zeb')).toEqual(edited.map(idOf).toReversed());
      expect(await found('zebra everywhere')).toEqual(edited.map(idOf).toReversed());
      for (const number of edited) expect(await found(`word${number}x`)).toEqual([]);
      expect(await found('word701x')).toEqual([idOf(701)]);
    };
    for (const number of edited.slice(1)) await edit(number, 'everywhere zebra');
    expect(await noted()).toBe(3);
    for (const number of edited) expect(await found(`word${number}x`)).toEqual([]);
    await index();
    await check();
    // Changed back.
    await edit(700, 'everywhere word700x');
    edited.splice(1, 1);
    for (const step of [() => index(), () => rebuildSearch(ctx, OWNER), () => index()]) {
      await step();
      expect(await found('word700x')).toEqual([idOf(700)]);
      await check();
    }
    await edit(3, 'giraffe');
    await index();
    await deleteMessage(ctx, ada, { id: idOf(3) });
    expect(await found('giraffe')).toEqual([]);
    await index();
    expect((await wordsInIndex(database)).flat()).not.toContain('giraffe');
  });
});
