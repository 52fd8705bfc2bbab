import { connect, NotFoundError, parseId, type Reaction, type ReceivedMessage } from '@hearth/sdk';
import { GENEROUS_LIMITS, startTestInstance } from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { expect, test } from 'bun:test';
import { Conversation } from './conversation.ts';
import { lobbySource } from './message-source.ts';
import type { Face } from './face.ts';
import { MessageChanges } from './message-changes.ts';
import { TerminalFormat } from './terminal-format.ts';

test('[OP70] a chat shows edits, deletions and reactions, and makes them for somebody who is signed in', async () => {
  const toml = `registration = "open"\n${GENEROUS_LIMITS}`;
  await using instance = await startTestInstance({ toml });
  await using client = await connect(instance.addresses.rest);
  const password = 'correct horse battery';
  await client.register({ username: 'ada', email: 'ada@example.org', password });
  const format = new TerminalFormat({ isColoured: false, hasLinks: false, idOf: () => undefined });
  const noted: string[] = [];
  const face: Face = {
    isInteractive: true,
    typed: { next: () => Promise.resolve({ done: true, value: undefined }) },
    left: new AbortController().signal,
    setPrompt: () => {},
    show: (message) => noted.push(format.message(message, 0).slice(6)),
    update: (message) => noted.push(format.edited(message, 0).slice(6)),
    remove: ({ content }) => noted.push(`removed ${content}`),
    notice: (text) => noted.push(`* ${text}`),
    ring: () => {},
    onTyping: () => {},
    setPlaces: () => {},
    clear: () => {},
    finish: () => Promise.resolve(0),
  };
  const openFile = () => Promise.reject(new Error('not used'));
  using conversation = new Conversation({
    client,
    source: lobbySource(client),
    face,
    author: 'ada',
    openFile,
  });
  const comes = (text: string) => until(async () => noted.includes(text));
  await conversation.begin();
  conversation.changes.edit('nothing yet');
  await comes('* there is no message that you have sent with an account');
  conversation.say('good evening');
  await comes('@ada: good evening');
  conversation.changes.edit('good night');
  await comes('@ada (edited): good night');
  conversation.changes.react('❤', 1);
  await comes('@ada (edited): good night\n      ❤️ 1');
  conversation.changes.react('❤️', 1);
  await until(
    async () => noted.filter((line) => line === '@ada (edited): good night').length === 2,
  );
  conversation.changes.react('a', 1);
  await comes('* a is not one emoji');
  conversation.changes.react('👍', 7);
  await comes('* there is no such message');
  conversation.changes.delete();
  await comes('removed good night');
  expect(noted.filter((line) => line.startsWith('* not changed'))).toEqual([]);
});

test('[OP70] a reaction is taken back or added again, whatever else is known of it', async () => {
  const id = parseId('1') ?? expect.unreachable();
  // Others have reacted too, and events do not say that the user no longer has.
  const shown = (): ReceivedMessage[] => [
    { author: 'bob', content: 'hello', id, reactions: [{ emoji: '👍', count: 3, mine: true }] },
  ];
  const asked: string[] = [];
  let failure: Error | undefined;
  const answer = (what: string) => async (): Promise<Reaction> => {
    asked.push(what);
    if (failure !== undefined) throw failure;
    return { emoji: '👍', count: 2 };
  };
  const unused = () => expect.unreachable();
  const changes = new MessageChanges({
    source: {
      addReaction: answer('add'),
      removeReaction: answer('remove'),
      changeMessage: unused,
      deleteMessage: unused,
    },
    face: { notice: (text) => asked.push(text) },
    shown,
  });
  const react = async (given?: Error) => {
    failure = given;
    changes.react('👍', 1);
    await new Promise((resolve) => setImmediate(resolve));
  };
  for (const given of [undefined, new Error('busy'), undefined, new NotFoundError('no such')]) {
    await react(given);
  }
  await react();
  expect(asked).toEqual(['remove', 'add', 'not changed (busy)', 'add', 'remove', 'add']);
});
