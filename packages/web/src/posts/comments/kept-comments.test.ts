import { expect, test } from 'bun:test';
import { MemoryStorage } from '../../../test/support/memory-storage.ts';
import { idOf } from '../../../test/support/fake-communities.ts';
import { KeptComments } from './kept-comments.ts';

test('[WC189] what is written of comments is kept for each account, and the oldest is forgotten', () => {
  const storage = new MemoryStorage();
  const kept = () => new KeptComments(storage, idOf('8'));
  kept().keep('1', 'Well ');
  kept().keep('1', 'Well said');
  kept().keep('2', 'No');
  expect([kept().read('1'), kept().read('2')]).toEqual(['Well said', 'No']);
  expect(new KeptComments(storage, idOf('9')).read('1')).toBeUndefined();
  kept().keep('2', ' ');
  expect(kept().read('2')).toBeUndefined();
  for (let at = 10; at < 30; at += 1) kept().keep(String(at), 'x');
  expect([kept().read('1'), kept().read('10')]).toEqual([undefined, 'x']);
  kept().keep('30', 'y'.repeat(99_999));
  expect([kept().read('29'), kept().read('28')]).toEqual(['x', undefined]);
});

test('comments that cannot be read back are none', () => {
  const storage = new MemoryStorage();
  storage.setItem('hearth.comments.8', '{"1":');
  expect(new KeptComments(storage, idOf('8')).read('1')).toBeUndefined();
});
