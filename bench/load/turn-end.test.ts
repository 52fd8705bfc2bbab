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

test('a fault fails the turn that is under way, and every one after it', async () => {
  const end = new TurnEnd();
  end.begin();
  const reached = end.reached(0, nothing);
  end.fail(new Error('cut'));
  await expect(reached).rejects.toThrow('cut');
  expect(() => end.begin()).toThrow('cut');
});

test('a fault between two turns is told by the next, also after others', () => {
  const end = new TurnEnd();
  end.begin();
  end.reach();
  end.fail(new Error('cut'));
  end.fail(new Error('cut too'));
  expect(() => end.check()).toThrow('cut');
  expect(() => end.begin()).toThrow(/^cut$/);
});

test('a turn whose end is not reached fails in time, and says what is missing', async () => {
  const end = new TurnEnd();
  end.begin();
  // The grace of ten seconds is over at once.
  await expect(end.reached(-10_000, () => '3 answers')).rejects.toThrow('3 answers missing');
});
