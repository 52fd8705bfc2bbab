import { parseId, type Id } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import type { ReceivedMessage } from '../types.ts';
import { OwnMessages } from './own-messages.ts';

const HELLO = { author: 'ada', content: 'hello' };

function idOf(number: number): Id {
  const id = parseId(String(number));
  if (id === undefined) throw new Error('an identifier');
  return id;
}

const live = (number: number, nonce?: string): ReceivedMessage => ({
  ...HELLO,
  id: idOf(number),
  ...(nonce === undefined ? {} : { nonce }),
});

const recovered = (number: number): ReceivedMessage => ({ ...live(number), isRecovered: true });

const sent = (nonce: string | undefined, isListening = true) => ({ ...HELLO, nonce, isListening });

test('[SK5] a message is own by its nonce, once, and later by its id', () => {
  const own = new OwnMessages();
  own.expect(sent('n'));
  expect(own.receive(live(1))).toBe(false);
  expect(own.receive(live(2, 'other'))).toBe(false);
  expect(own.receive({ ...live(3, 'n'), content: 'changed by the instance' })).toBe(true);
  expect(own.receive(live(4, 'n'))).toBe(false);
  expect([1, 2, 3, 4].map((number) => own.isKnown(idOf(number)))).toEqual([
    false,
    false,
    true,
    false,
  ]);
  expect(own.isKnown(undefined)).toBe(false);
});

test('[SK5] a message that was refused is not expected', () => {
  const own = new OwnMessages();
  own.forget(own.expect(sent('n')));
  expect(own.receive(live(1, 'n'))).toBe(false);
});

test('[SK6] a message that was read from the history is own by its author and content, once', () => {
  const own = new OwnMessages();
  own.receive(live(5));
  own.expect(sent('n'));
  expect(own.receive({ ...recovered(6), author: 'bob' })).toBe(false);
  expect(own.receive({ ...recovered(6), content: 'bye' })).toBe(false);
  expect(own.receive(recovered(7))).toBe(true);
  expect(own.receive(recovered(8))).toBe(false);
});

test('[SK6] a message that came before the own one was sent is not own', () => {
  const own = new OwnMessages();
  own.receive(live(5));
  own.expect(sent('n'));
  expect(own.receive(recovered(4))).toBe(false);
});

test('[SK6] a message of a documented gateway is own by its author and content, once', () => {
  const own = new OwnMessages();
  own.expect(sent(undefined));
  own.expect(sent('n'));
  expect([1, 2, 3].map(() => own.receive(HELLO))).toEqual([true, true, false]);
});

test('[SK6] a message that was sent while the client was not listening is own by its nonce only', () => {
  const own = new OwnMessages();
  own.expect(sent(undefined, false));
  own.expect(sent('n', false));
  expect(own.receive(HELLO)).toBe(false);
  expect(own.receive(recovered(1))).toBe(false);
  expect(own.receive(live(2, 'n'))).toBe(true);
});

test('[SK5] a bounded number of messages is expected and known', () => {
  const own = new OwnMessages();
  for (let number = 1; number <= 1_001; number += 1) own.expect(sent(`n${number}`));
  expect(own.receive(live(1, 'n1'))).toBe(false);
  for (let number = 2; number <= 1_001; number += 1) {
    expect(own.receive(live(number, `n${number}`))).toBe(true);
  }
  own.expect(sent('last'));
  own.receive(live(1_002, 'last'));
  expect([2, 3, 1_002].map((number) => own.isKnown(idOf(number)))).toEqual([false, true, true]);
});
