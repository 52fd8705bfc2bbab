import { expect, test } from 'bun:test';
import { MemoryStorage } from '../../test/support/memory-storage.ts';
import { KeptDrafts } from './kept-drafts.ts';

test('[WC189] what is written of comments is kept for each account, and the oldest is forgotten', () => {
  const storage = new MemoryStorage();
  const bounds = { most: 20, mostCharacters: 100_000 };
  const kept = (key = '8') => new KeptDrafts({ storage, key, ...bounds });
  kept().keep('1', 'Well ');
  kept().keep('1', 'Well said');
  kept().keep('2', 'No');
  expect([kept().read('1'), kept().read('2')]).toEqual(['Well said', 'No']);
  expect(kept('9').read('1')).toBeUndefined();
  kept().keep('2', ' ');
  expect(kept().read('2')).toBeUndefined();
  for (let at = 10; at < 30; at += 1) kept().keep(String(at), 'x');
  expect([kept().read('1'), kept().read('10')]).toEqual([undefined, 'x']);
  kept().keep('30', 'y'.repeat(99_999));
  expect([kept().read('29'), kept().read('28')]).toEqual(['x', undefined]);
});

test('drafts that cannot be read back are none', () => {
  const storage = new MemoryStorage();
  storage.setItem('8', '{"1":');
  expect(new KeptDrafts({ storage, key: '8' }).read('1')).toBeUndefined();
});

test('[WC200] without bounds, nothing is forgotten', () => {
  const drafts = new KeptDrafts({ storage: new MemoryStorage(), key: 'posts' });
  for (let at = 0; at < 50; at += 1) drafts.keep(String(at), 'x'.repeat(40_000));
  expect(drafts.read('0')?.length).toBe(40_000);
});
