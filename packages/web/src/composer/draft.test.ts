import { expect, test } from 'bun:test';
import { signal } from '@preact/signals';
import { manualClock } from '../../../sdk/test/support/manual-clock.ts';
import { MemoryStorage } from '../../test/support/memory-storage.ts';
import { Draft } from './draft.ts';

test('a draft is kept from page to page, for its instance', async () => {
  const storage = new MemoryStorage();
  const clock = manualClock();
  const draft = new Draft(storage, 'here', clock);
  draft.text.value = 'half a sen';
  await clock.advance(300);
  expect(new Draft(storage, 'here', clock).text.value).toBe('half a sen');
  expect(new Draft(storage, 'elsewhere', clock).text.value).toBe('');
});

test('it is written down when the writer pauses, and at once when the page goes', async () => {
  const storage = new MemoryStorage();
  const clock = manualClock();
  const draft = new Draft(storage, 'here', clock);
  draft.text.value = 'a';
  await clock.advance(200);
  draft.text.value = 'ab';
  await clock.advance(200);
  expect(storage.length).toBe(0);
  draft.flush();
  expect(new Draft(storage, 'here', clock).text.value).toBe('ab');
  draft.text.value = '';
  draft.flush();
  expect(storage.length).toBe(0);
});

test('a page that only reads does not overwrite what another writes', () => {
  const storage = new MemoryStorage();
  const clock = manualClock();
  const reader = new Draft(storage, 'here', clock);
  const writer = new Draft(storage, 'here', clock);
  writer.text.value = 'written';
  writer.flush();
  reader[Symbol.dispose]();
  expect(new Draft(storage, 'here', clock).text.value).toBe('written');
});

test('texts whose files are not up yet are kept with it', () => {
  const storage = new MemoryStorage();
  const clock = manualClock();
  const draft = new Draft(storage, 'here', clock);
  const parcels = signal<readonly string[]>([]);
  draft.setAside(parcels);
  draft.text.value = 'the next';
  parcels.value = ['with a picture', ''];
  expect(new Draft(storage, 'here', clock).text.value).toBe('with a picture\nthe next');
  parcels.value = [];
  expect(new Draft(storage, 'here', clock).text.value).toBe('the next');
});

test('a text that is put back comes before what was written since', () => {
  const draft = new Draft(undefined, 'here', manualClock());
  draft.putBack('before');
  expect(draft.text.value).toBe('before');
  draft.putBack('earlier');
  expect(draft.text.value).toBe('earlier\nbefore');
  draft.putBack('');
  expect(draft.text.value).toBe('earlier\nbefore');
});
