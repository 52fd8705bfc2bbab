import { expect, test } from 'bun:test';
import { signal } from '@preact/signals';
import { manualClock } from '@hearth/testing/manual-clock';
import { MemoryStorage } from '../../test/support/memory-storage.ts';
import type { Storages } from '../lib/storage.ts';
import { Draft } from './draft.ts';

/** The storages of a new tab in a browser whose storage is `local`. */
function newTab(local: Storage | undefined): Storages {
  return { local, session: local === undefined ? undefined : new MemoryStorage() };
}

test('a draft is kept from page to page, for each instance', async () => {
  const local = new MemoryStorage();
  const clock = manualClock();
  const draft = new Draft(newTab(local), 'here', clock);
  draft.text.value = 'half a sen';
  await clock.advance(300);
  expect(new Draft(newTab(local), 'here', clock).text.value).toBe('half a sen');
  expect(new Draft(newTab(local), 'elsewhere', clock).text.value).toBe('');
});

test('a draft is stored when the writer pauses, and at once when the page is closed', async () => {
  const local = new MemoryStorage();
  const clock = manualClock();
  const draft = new Draft(newTab(local), 'here', clock);
  draft.text.value = 'a';
  await clock.advance(200);
  draft.text.value = 'ab';
  await clock.advance(200);
  expect(local.length).toBe(0);
  draft.flush();
  expect(new Draft(newTab(local), 'here', clock).text.value).toBe('ab');
  draft.text.value = '';
  draft.flush();
  expect(local.length).toBe(0);
});

test('a page that only reads does not overwrite what another page writes', () => {
  const local = new MemoryStorage();
  const clock = manualClock();
  const reader = new Draft(newTab(local), 'here', clock);
  const writer = new Draft(newTab(local), 'here', clock);
  writer.text.value = 'written';
  writer.flush();
  reader[Symbol.dispose]();
  expect(new Draft(newTab(local), 'here', clock).text.value).toBe('written');
});

test('texts whose files are not uploaded yet are kept with the draft', () => {
  const local = new MemoryStorage();
  const clock = manualClock();
  const draft = new Draft(newTab(local), 'here', clock);
  const messages = signal<readonly string[]>([]);
  draft.setAside(messages);
  draft.text.value = 'the next';
  messages.value = ['with a picture', ''];
  expect(new Draft(newTab(local), 'here', clock).text.value).toBe('with a picture\nthe next');
  messages.value = [];
  expect(new Draft(newTab(local), 'here', clock).text.value).toBe('the next');
});

test('[WC361] a text that is put back comes before the text written since, by the box if there is one', () => {
  const draft = new Draft(newTab(undefined), 'here', manualClock());
  draft.putBack('before');
  expect(draft.text.value).toBe('before');
  draft.putBack('earlier');
  expect(draft.text.value).toBe('earlier\nbefore');
  draft.putBack('');
  expect(draft.text.value).toBe('earlier\nbefore');
  const inserted: string[] = [];
  const end = draft.insertWith((text) => inserted.push(text));
  draft.putBack('first');
  draft.putBack('');
  expect([inserted, draft.text.value]).toEqual([['first\n'], 'earlier\nbefore']);
  end();
  draft.putBack('first');
  expect(draft.text.value).toBe('first\nearlier\nbefore');
});

test('a reloaded tab has its own draft, and not that of another tab', () => {
  const local = new MemoryStorage();
  const clock = manualClock();
  const tabs = { one: newTab(local), other: newTab(local) };
  for (const [text, storages] of Object.entries(tabs)) {
    const draft = new Draft(storages, 'here', clock);
    draft.text.value = text;
    draft.flush();
  }
  expect(new Draft(tabs.one, 'here', clock).text.value).toBe('one');
  const sent = new Draft(tabs.one, 'here', clock);
  sent.text.value = '';
  sent.flush();
  expect(new Draft(tabs.one, 'here', clock).text.value).toBe('');
  expect(new Draft(tabs.other, 'here', clock).text.value).toBe('other');
});

test('every return to the draft is reported as a new one', () => {
  const draft = new Draft(newTab(undefined), 'here', manualClock());
  const before = draft.resumed.value;
  draft.resume();
  expect(draft.resumed.value).not.toBe(before);
});
