import { expect, test } from 'bun:test';
import { TurnEnd } from './turn-end.ts';

const nothing = () => 'nothing';

test('a turn ends when its end is reached', async () => {
  const end = new TurnEnd();
  end.begin();
  const reached = end.reached(0, nothing);
  end.reach();
  expect(await reached).toBeUndefined();
});

test('a fault fails the current turn and every later one', async () => {
  const end = new TurnEnd();
  end.begin();
  const reached = end.reached(0, nothing);
  end.fail(new Error('cut'));
  await expect(reached).rejects.toThrow('cut');
  expect(() => end.begin()).toThrow('cut');
});

test('a fault between two turns is thrown by the next one, even if other faults follow', () => {
  const end = new TurnEnd();
  end.begin();
  end.reach();
  end.fail(new Error('cut'));
  end.fail(new Error('cut too'));
  expect(() => end.check()).toThrow('cut');
  expect(() => end.begin()).toThrow(/^cut$/);
});

test('a turn that does not end fails after some time, and its error says what is missing', async () => {
  const end = new TurnEnd();
  end.begin();
  // The grace of ten seconds ends immediately.
  await expect(end.reached(-10_000, () => '3 answers')).rejects.toThrow('3 answers missing');
});
