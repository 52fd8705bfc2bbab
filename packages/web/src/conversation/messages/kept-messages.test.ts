import { signal } from '@preact/signals';
import { parseId, type Id } from '@hearth/protocol';
import type { ClientEvents, FileData } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { manualClock } from '@hearth/testing/manual-clock';
import { memoryKeptStorage } from '../../../test/support/memory-kept-storage.ts';
import type { ConversationEntry, MessageEntry, OlderState } from './entry.ts';
import { KeptMessages } from './kept-messages.ts';

const KEY = 'lobby';

function idOf(number: number): Id {
  const id = parseId(String(number));
  if (id === undefined) throw new Error('not an identifier');
  return id;
}

function fileOf(id: string): FileData {
  return { id, name: 'a.png', bucket: 'attachments', metadata: { type: 'other' } };
}

function message(id: number): MessageEntry {
  return {
    kind: 'message',
    key: String(id),
    id: idOf(id),
    author: 'ada',
    content: `message ${id}`,
    createdAtMs: id,
    nonce: undefined,
    isOwn: false,
    isPageStart: false,
  };
}

const between = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => message(first + index));

/** A conversation whose history a test lets arrive. */
function setUp(stored = new Map<string, unknown>(), owner?: Id) {
  const storage = memoryKeptStorage(stored);
  const entries = signal<readonly ConversationEntry[]>([]);
  const older = signal<OlderState>('loading');
  const clock = manualClock();
  const removals = new Set<(entry: MessageEntry) => void>();
  let deleted: (event: ClientEvents['messageDelete']) => void = () => {};
  let pages = 0;
  const messages = {
    entries,
    older,
    loadOlder: () => Promise.resolve(void (pages += 1)),
    onRemoval: (listener: (entry: MessageEntry) => void) => {
      removals.add(listener);
      return () => removals.delete(listener);
    },
  };
  const source = {
    on: (name: string, listener: never) => {
      if (name === 'messageDelete') deleted = listener;
      return () => {
        deleted = () => {};
      };
    },
  };
  const files: string[] = [];
  const onFiles = (data: readonly FileData[]) => void files.push(...data.map(({ id }) => id));
  const wanted: (readonly string[])[] = [];
  const pictures = {
    load: () => Promise.resolve(),
    keep: (ids: readonly string[]) => void wanted.push(ids),
    [Symbol.dispose]: () => {},
  };
  const options = { messages, source, storage, key: KEY, owner, clock, onFiles, pictures };
  const kept = new KeptMessages(options);
  return {
    kept,
    stored,
    entries,
    older,
    clock,
    files,
    pictures: () => wanted.at(-1),
    pages: () => pages,
    delete: (id: number) => deleted({ id: idOf(id) }),
    remove: (entry: MessageEntry) => removals.forEach((listener) => listener(entry)),
    ids: () => kept.entries.value.map((entry) => String(entry.kind === 'message' && entry.id)),
  };
}

/** Returns what a visit with these messages leaves. */
async function storedBy(messages: readonly MessageEntry[]): Promise<Map<string, unknown>> {
  const visit = setUp();
  using kept = visit.kept;
  visit.entries.value = messages;
  visit.older.value = 'more';
  await visit.clock.advance(5000);
  expect(kept.sinceMs.value).toBeUndefined();
  return visit.stored;
}

const idsOf = (messages: readonly MessageEntry[]) => messages.map(({ id }) => String(id));

test('[WC67] the newest 200 messages of the last visit are shown until the history arrives', async () => {
  const visit = setUp(await storedBy(between(101, 400)));
  using kept = visit.kept;
  await visit.clock.advance(0);
  expect(visit.ids()).toEqual(idsOf(between(201, 400)));
  expect(kept.sinceMs.value).toBeNumber();
  visit.entries.value = between(320, 420);
  visit.older.value = 'more';
  expect(visit.ids()).toEqual(idsOf(between(320, 420)));
  expect(kept.sinceMs.value).toBeUndefined();
  expect(visit.pages()).toBe(0);
});

test('[WC67] the messages of the last visit are shown to the same reader only, because some are marked as their own', async () => {
  const visit = setUp(await storedBy(between(1, 3)), idOf(7));
  using kept = visit.kept;
  await visit.clock.advance(0);
  expect([visit.ids(), kept.sinceMs.value]).toEqual([[], undefined]);
});

test('[WC67] live messages come after the kept ones if the history fails', async () => {
  const visit = setUp(await storedBy(between(1, 3)));
  using _kept = visit.kept;
  await visit.clock.advance(0);
  visit.older.value = 'failed';
  visit.entries.value = between(9, 9);
  expect(visit.ids()).toEqual(['1', '2', '3', '9']);
});

test('[WC67] what a reader sees further up stays until the history has reached it', async () => {
  const visit = setUp(await storedBy(between(201, 400)));
  using kept = visit.kept;
  await visit.clock.advance(0);
  kept.isAtEnd.value = false;
  visit.entries.value = between(301, 410);
  visit.older.value = 'more';
  expect(visit.ids()).toEqual(idsOf(between(201, 410)));
  expect(visit.pages()).toBeGreaterThan(0);
  visit.entries.value = between(201, 410);
  expect(kept.sinceMs.value).toBeUndefined();
  expect(visit.ids()).toEqual(idsOf(between(201, 410)));
});

test('[WC67][WC67a] a removed message is no longer kept', async () => {
  const stored = await storedBy(between(1, 3));
  {
    const visit = setUp(stored);
    using _kept = visit.kept;
    await visit.clock.advance(0);
    visit.delete(2);
    expect(visit.ids()).toEqual(['1', '3']);
  }
  {
    const visit = setUp(stored);
    using _kept = visit.kept;
    await visit.clock.advance(0);
    expect(visit.ids()).toEqual(['1', '3']);
    visit.entries.value = between(3, 3);
    visit.older.value = 'none';
    visit.remove(message(1));
    await visit.clock.advance(0);
  }
  const last = setUp(stored);
  using _kept = last.kept;
  await last.clock.advance(0);
  expect(last.ids()).toEqual(['3']);
});

test('[WC67] a page that never gets the history leaves what an earlier one kept', async () => {
  const stored = await storedBy(between(1, 3));
  for (const state of ['loading', 'failed'] as const) {
    const visit = setUp(stored);
    using kept = visit.kept;
    await visit.clock.advance(0);
    visit.older.value = state;
    visit.entries.value = between(9, 9);
    await visit.clock.advance(5000);
    kept.flush();
    expect(visit.ids()).toEqual(['1', '2', '3', '9']);
  }
});

test('[WC67] the files of kept messages are known, and those of forgotten ones are not', async () => {
  const visit = setUp();
  {
    using kept = visit.kept;
    kept.learn(['7', '8'].map(fileOf));
    visit.entries.value = [{ ...message(1), content: 'http://files.test/7' }];
    visit.older.value = 'none';
    await visit.clock.advance(5000);
  }
  const next = setUp(visit.stored);
  using _kept = next.kept;
  await next.clock.advance(0);
  expect(next.files).toEqual(['7']);
});

test('[WC67] what is forgotten is not kept again by what was about to be stored', async () => {
  const visit = setUp(await storedBy(between(1, 5)));
  await visit.clock.advance(0);
  visit.entries.value = between(1, 6);
  visit.older.value = 'none';
  visit.kept.forget();
  expect([visit.stored.size, visit.kept.sinceMs.value]).toEqual([0, undefined]);
  visit.kept.flush();
  visit.entries.value = between(1, 7);
  visit.remove(message(3));
  visit.delete(4);
  await visit.clock.advance(60_000);
  visit.kept.flush();
  expect(visit.stored.size).toBe(0);
});

test('[WC67] what is forgotten while it is still being read is not shown', async () => {
  const visit = setUp(await storedBy(between(1, 5)));
  visit.kept.forget();
  await visit.clock.advance(0);
  expect(visit.ids()).toEqual([]);
});

test('[WC93] pictures are kept for the files that the history lists, those of the newest message first', async () => {
  const metadata = { type: 'image', width: 1, height: 1 } as const;
  const pictures = ['70', '80'].map((id) => ({ ...fileOf(id), metadata }));
  const naming = (id: number, ...ids: readonly string[]) => ({
    ...message(id),
    content: ids.join(' '),
  });
  const visit = setUp();
  {
    using kept = visit.kept;
    kept.learn([...pictures, fileOf('90')]);
    visit.entries.value = [naming(1, '70'), naming(2, '80', '90')];
    visit.older.value = 'none';
    await visit.clock.advance(5000);
    expect(visit.pictures()).toEqual(['80', '70']);
    visit.entries.value = [naming(2, '80')];
    visit.remove(naming(1, '70'));
    await visit.clock.advance(0);
    expect(visit.pictures()).toEqual(['80']);
  }
  const next = setUp(new Map(visit.stored));
  using kept = next.kept;
  await next.clock.advance(0);
  next.delete(2);
  expect(next.pictures()).toEqual([]);
  // Its file was removed, so the history no longer lists it.
  const later = setUp(visit.stored);
  using latest = later.kept;
  await later.clock.advance(0);
  later.entries.value = [naming(2, '80')];
  later.older.value = 'none';
  await later.clock.advance(5000);
  expect(later.pictures()).toEqual([]);
  expect([kept, latest]).toHaveLength(2);
});
