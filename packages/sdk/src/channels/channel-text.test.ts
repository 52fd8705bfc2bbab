import { parseId, type ChannelMessage, type Id } from '@hearth/protocol';
import { failureOf } from '@hearth/testing/failure-of';
import { expect, test } from 'bun:test';
import { ValidationError } from '../errors.ts';
import type { NewChannelMessage } from './channel-messages.ts';
import { givenText, sendText, shownMessage, type TextAddresses } from './channel-text.ts';

const idOf = (text: string): Id => {
  const id = parseId(text);
  if (id === undefined) throw new TypeError(`${text} is not an id`);
  return id;
};

const FILES = 'https://files.example/attachments/';
const PAGE = 'https://chat.example/c/garden/7/';

const addresses: TextAddresses = {
  messageUrl: (id) => `${PAGE}${id}`,
  messageIdAt: (url) => (url.startsWith(PAGE) ? parseId(url.slice(PAGE.length)) : undefined),
  fileUrl: ({ id, key }) => `${FILES}${id}?key=${key}`,
  keyedFileAt: (url) =>
    url.startsWith(FILES) && url.includes('?key=')
      ? parseId(url.slice(FILES.length, url.indexOf('?')))
      : undefined,
};

const message = (more: Partial<ChannelMessage>): ChannelMessage => ({
  id: idOf('20'),
  channel_id: idOf('7'),
  author: 'ada',
  content: 'good evening',
  created_at: 1,
  version: 1,
  ...more,
});

const file = (id: string) =>
  ({
    id,
    name: 'rose.png',
    bucket: 'attachments',
    key: 'k1',
    metadata: { type: 'image', width: 4, height: 3 },
  }) as const;

const reply = {
  content: 'and a rose',
  reply_to: { id: idOf('19'), author: 'bob', excerpt: 'a tulip' },
  attachments: [file('31'), file('32')],
};

test('[WC145] a reply with files is shown with a quote and with the addresses of the files', () => {
  expect(shownMessage(message(reply), addresses).content).toBe(
    `> [bob](${PAGE}19): a tulip\n\nand a rose\n${FILES}31?key=k1\n${FILES}32?key=k1`,
  );
});

test('[WC145] what is shown is sent as it was given', () => {
  const { content } = shownMessage(message(reply), addresses);
  expect(givenText(content, addresses)).toEqual({
    content: 'and a rose',
    reply_to: idOf('19'),
    attachments: [{ id: idOf('31') }, { id: idOf('32') }],
  });
});

test('[WC390] a reply says whose message it is about', () => {
  const user = { id: idOf('5'), username: 'bob', display_name: 'Bob Ross' };
  const target = { id: idOf('19'), author: 'bob', user, excerpt: 'a tulip' };
  expect(shownMessage(message({ reply_to: target }), addresses).reply_to).toEqual(target);
});

test('[WC145] a reply to a deleted message has no quote', () => {
  const shown = shownMessage(message({ reply_to: { id: idOf('19') } }), addresses);
  expect(shown.content).toBe('good evening');
});

test.each([
  ['a quote of another place', '> [bob](https://elsewhere.example/7): hello\n\nyes'],
  ['a quote without an address', '> **bob**: hello\n\nyes'],
  ['the address of a file without a key', `look\n${FILES}31`],
  ['the address of a file in the middle', `${FILES}31?key=k1\nlook`],
])('[WC145] %s stays part of the text', (_, content) => {
  expect(givenText(content, addresses)).toEqual({ content });
});

test('[WC145] a message of files only has no text', () => {
  const shown = shownMessage(message({ content: '', attachments: [file('31')] }), addresses);
  expect(shown.content).toBe(`${FILES}31?key=k1`);
  expect(givenText(shown.content, addresses)).toEqual({
    content: '',
    attachments: [{ id: idOf('31') }],
  });
});

test('[WC145][WC145a][UC2] the address of a file that was uploaded for the message is never sent as a part of the text', async () => {
  const asked: unknown[] = [];
  const channel = {
    send: async (given: unknown) => {
      asked.push(given);
      throw new ValidationError('no', { fieldName: 'attachments', error: 'is of another message' });
    },
  };
  const own = { ...addresses, isUploaded: (id: Id) => id === idOf('31') };
  const content = `look\n${FILES}31?key=k1`;
  const failure = await failureOf(sendText(channel, { content, nonce: 'n', addresses: own }));
  expect(failure).toBeInstanceOf(ValidationError);
  expect(asked).toHaveLength(1);
});

test('[WC145][UC2] the address of a file that cannot be attached is sent as a part of the text', async () => {
  const asked: (string | NewChannelMessage)[] = [];
  const channel = {
    send: async (given: string | NewChannelMessage) => {
      asked.push(given);
      if (asked.length > 1) return message({});
      throw new ValidationError('no', { fieldName: 'attachments', error: 'is not yours' });
    },
  };
  const content = `look\n${FILES}31?key=k1`;
  await sendText(channel, { content, nonce: 'n', addresses });
  expect(asked).toEqual([
    { content: 'look', attachments: [{ id: idOf('31') }], nonce: 'n' },
    { content, nonce: 'n' },
  ]);
});
