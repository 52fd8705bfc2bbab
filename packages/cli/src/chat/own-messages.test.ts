import { expect, test } from 'bun:test';
import { OwnMessages } from './own-messages.ts';

const hello = { author: 'ada', content: 'hello' };

test("[OP24] the user's own message is recognised by its nonce", () => {
  const messages = new OwnMessages();
  const [first, second] = [messages.expect(hello), messages.expect(hello)];
  expect(messages.recognise({ ...hello, nonce: 'of somebody else' })).toBeUndefined();
  expect(messages.recognise({ ...hello, nonce: second.nonce })).toBe(second);
  expect(messages.recognise({ ...hello, nonce: second.nonce })).toBeUndefined();
  expect(messages.recognise({ ...hello, nonce: first.nonce })).toBe(first);
});

test("[OP24] without a nonce, the user's own messages are recognised by author and text, oldest first", () => {
  const messages = new OwnMessages();
  const [first, second] = [messages.expect(hello), messages.expect(hello)];
  expect(messages.recognise({ ...hello, author: 'bob' })).toBeUndefined();
  expect(messages.recognise({ ...hello, content: 'hell' })).toBeUndefined();
  expect(messages.recognise(hello)).toBe(first);
  messages.forget(second);
  expect(messages.recognise(hello)).toBeUndefined();
});

test('[OP24] a message that was shown before it came back is not shown again', () => {
  const own = new OwnMessages().expect(hello);
  expect([own.showOnce(), own.showOnce()]).toEqual([true, false]);
});

test('messages that never come back are forgotten', () => {
  const messages = new OwnMessages();
  const [first] = Array.from({ length: 101 }, () => messages.expect(hello));
  expect(messages.recognise(hello)).not.toBe(first);
});

test('[OP54] an own message is recognised by the name under which it was sent', () => {
  const messages = new OwnMessages();
  const [before, after] = [messages.expect(hello), messages.expect({ ...hello, author: 'eve' })];
  expect(messages.recognise({ ...hello, author: 'eve' })).toBe(after);
  expect(messages.recognise(hello)).toBe(before);
});
