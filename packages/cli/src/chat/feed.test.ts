import { connect, type Id } from '@hearth/sdk';
import { scriptedMessage, startScriptedLobby } from '@hearth/testing/clients/scripted-lobby';
import { expect, test } from 'bun:test';
import { follow } from './feed.ts';
import { lobbySource } from './message-source.ts';

test('[OP44][OP45] a message that is removed while the history is read is not shown, and one that is changed is updated afterwards', async () => {
  await using lobby = startScriptedLobby();
  lobby.history.push(scriptedMessage(2), scriptedMessage(1));
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await using client = await connect(lobby.url, {
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (input.endsWith('/messages?limit=2')) {
        asked.resolve();
        await answer.promise;
      }
      return response;
    },
  });
  const shown: string[] = [];
  const news: boolean[] = [];
  const removed: Id[] = [];
  const updated: string[] = [];
  const followed = follow(lobbySource(client), 2, {
    show: (messages, areNew) => {
      shown.push(...messages.map(({ content }) => content));
      news.push(areNew);
    },
    update: ({ content }) => updated.push(`${content} after ${shown.length}`),
    remove: (id) => removed.push(id),
    react: () => {},
  });
  await Promise.all([lobby.greet(), asked.promise]);
  const last = new Promise<void>((resolve) => {
    client.on('message', ({ id }) => id === '4' && resolve());
  });
  lobby.emit('MESSAGE_CREATE', scriptedMessage(3));
  for (const id of ['1', '3']) lobby.emit('MESSAGE_DELETE', { id });
  lobby.emit('MESSAGE_UPDATE', { ...scriptedMessage(2), content: 'changed' });
  lobby.emit('MESSAGE_CREATE', scriptedMessage(4));
  await last;
  answer.resolve();
  await followed;
  expect(shown).toEqual(['no. 2', 'no. 4']);
  expect(news).toEqual([false, true]);
  expect(removed.map(String)).toEqual(['1', '3']);
  expect(updated).toEqual(['changed after 2']);
});
