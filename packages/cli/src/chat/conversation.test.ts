import { connect } from '@hearth/sdk';
import { scriptedMessage, startScriptedLobby } from '@hearth/testing/clients/scripted-lobby';
import { until } from '@hearth/testing/until';
import { expect, test } from 'bun:test';
import { Conversation } from './conversation.ts';
import { lobbySource } from './message-source.ts';
import type { Face } from './face.ts';

/** A face that notes what it is to show. */
function notedFace(noted: string[]): Face {
  return {
    isInteractive: true,
    typed: { next: () => Promise.resolve({ done: true, value: undefined }) },
    left: new AbortController().signal,
    setPrompt: (prompt) => noted.push(`prompt ${prompt}`),
    show: ({ content }) => noted.push(content),
    update: ({ content }) => noted.push(`edited ${content}`),
    remove: ({ content }) => noted.push(`removed ${content}`),
    notice: (text) => noted.push(`* ${text}`),
    ring: () => noted.push('bell'),
    onTyping: () => {},
    setPlaces: () => {},
    clear: () => noted.push('cleared'),
    finish: () => Promise.resolve(0),
  };
}

test('[OP53][OP54][OP55] a chat rings for new mentions, and knows the links and spoilers that it has shown', async () => {
  await using lobby = startScriptedLobby();
  lobby.history.push({ ...scriptedMessage(1), content: 'old @ada' });
  await using client = await connect(lobby.url);
  const noted: string[] = [];
  const has = (text: string) => until(async () => noted.includes(text));
  using conversation = new Conversation({
    client,
    source: lobbySource(client),
    face: notedFace(noted),
    author: 'ada',
    openFile: () => Promise.reject(new Error('not used')),
  });
  const begun = conversation.begin();
  await lobby.greet();
  await begun;
  await has('old @ada');
  const contents = ['no @adam', 'http://h/1', '||secret||', 'hi @Ada'];
  for (const [at, content] of contents.entries()) {
    lobby.emit('MESSAGE_CREATE', { ...scriptedMessage(at + 2), content });
  }
  await has('bell');
  expect(noted.slice(noted.indexOf('old @ada'))).toEqual(['old @ada', ...contents, 'bell']);
  expect(conversation.lastAddress(1)).toBe('http://h/1');
  conversation.reveal();
  expect(noted.at(-1)).toEndWith(': ||secret||');
  for (const id of ['3', '4']) lobby.emit('MESSAGE_DELETE', { id });
  await has('removed ||secret||');
  expect(conversation.lastAddress(1)).toBeUndefined();
  conversation.reveal();
  expect(noted.at(-1)).toBe('* no message hides anything');
  conversation.rename('eve');
  expect(noted.at(-1)).toBe('prompt eve> ');
  lobby.emit('MESSAGE_CREATE', { ...scriptedMessage(9), content: 'and @eve' });
  await until(async () => noted.at(-1) === 'bell' && noted.at(-2) === 'and @eve');
});
