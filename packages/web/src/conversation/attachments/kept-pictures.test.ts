import { expect, test } from 'bun:test';
import { manualClock } from '@hearth/testing/manual-clock';
import { memoryKeptStorage } from '../../../test/support/memory-kept-storage.ts';
import { KeptPictures } from './kept-pictures.ts';

const KEY = 'lobby';
const KB = 2 ** 10;

const ids = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String(first + index));

/** The pictures of a conversation in a page; what is shown is said by the test. */
function visit(stored: Map<string, unknown>, sizeBytes = 20 * KB) {
  const clock = manualClock();
  const shown = new Set<string>();
  const earlier = new Map<string, Blob>();
  const read: string[] = [];
  let onShown = () => {};
  const page = { onRead: () => {} };
  const pictures = new KeptPictures({
    storage: memoryKeptStorage(stored),
    key: KEY,
    clock,
    media: {
      smallestShown: (id) => (shown.has(id) ? `media/${id}` : undefined),
      onShown: (listener) => {
        onShown = listener;
        return () => {};
      },
    },
    read: (url) => {
      read.push(url);
      page.onRead();
      page.onRead = () => {};
      const isSmall = !url.endsWith('0000');
      return Promise.resolve(isSmall ? new Blob([new Uint8Array(sizeBytes)]) : undefined);
    },
    onPicture: (id, picture) => void earlier.set(id, picture),
  });
  return Object.assign(page, {
    pictures,
    earlier,
    read,
    show(...each: readonly string[]) {
      for (const id of each) shown.add(id);
      onShown();
    },
    pass: () => clock.advance(5_000),
    kept: () =>
      [...stored.keys()]
        .filter((key) => key.startsWith(`${KEY} picture `))
        .map((key) => key.slice(14)),
  });
}

test('[WC93] pictures of kept messages that were shown are there at the next visit', async () => {
  const stored = new Map<string, unknown>();
  const first = visit(stored);
  using pictures = first.pictures;
  pictures.keep(['3', '2', '1']);
  await first.pass();
  expect(first.kept()).toEqual([]);
  first.show('1', '2', '9');
  await first.pass();
  expect(first.kept()).toEqual(['2', '1']);
  pictures.keep(['4', '3', '2', '1']);
  await first.pass();
  expect(first.read).toEqual(['media/2', 'media/1']);
  const next = visit(stored);
  using later = next.pictures;
  await later.load();
  expect([...next.earlier.keys()]).toEqual(['2', '1']);
});

test('[WC93][WC93a] a picture goes with its message, and an earlier conversation keeps its own', async () => {
  const stored = new Map<string, unknown>([['lobby 12 picture 7', 'another']]);
  const first = visit(stored);
  using pictures = first.pictures;
  first.show('1', '2');
  pictures.keep(['2', '1']);
  await first.pass();
  expect(first.kept()).toEqual(['2', '1']);
  pictures.keep(['2']);
  await first.pass();
  expect(first.kept()).toEqual(['2']);
  const next = visit(stored);
  using later = next.pictures;
  later.keep([]);
  await next.pass();
  expect([...stored.keys()]).toEqual(['lobby 12 picture 7']);
});

test('[WC93] only the newest 100 pictures are kept', async () => {
  const stored = new Map<string, unknown>();
  const page = visit(stored);
  using pictures = page.pictures;
  page.show(...ids(1, 150));
  pictures.keep(ids(1, 150).toReversed());
  await page.pass();
  expect(page.kept()).toEqual(ids(51, 150).toReversed());
  expect(page.read).toHaveLength(100);
  page.show('151');
  pictures.keep(ids(1, 151).toReversed());
  await page.pass();
  expect(page.kept().toSorted()).toEqual(ids(52, 151).toSorted());
});

test('[WC93] pictures have at most 10 MB together', async () => {
  const stored = new Map<string, unknown>();
  const page = visit(stored, 200 * KB);
  using pictures = page.pictures;
  page.show(...ids(1, 80));
  pictures.keep(ids(1, 80).toReversed());
  await page.pass();
  expect(page.kept()).toEqual(ids(30, 80).toReversed());
});

test('[WC93][WC93a] what cannot be read, or is no small version, is not kept and not requested again', async () => {
  const page = visit(new Map());
  using pictures = page.pictures;
  page.show('10000', '2');
  for (let time = 0; time < 2; time += 1) {
    pictures.keep(['10000', '2']);
    await page.pass();
  }
  expect(page.kept()).toEqual(['2']);
  expect(page.read).toEqual(['media/10000', 'media/2']);
});

test('[WC93] a picture whose message is removed while it is read is never stored', async () => {
  const written: string[] = [];
  class Watched extends Map<string, unknown> {
    override set(key: string, value: unknown): this {
      written.push(key);
      return super.set(key, value);
    }
  }
  const page = visit(new Watched());
  using pictures = page.pictures;
  page.show('1', '2');
  page.onRead = () => pictures.keep(['1']);
  pictures.keep(['2', '1']);
  await page.pass();
  expect(page.read).toEqual(['media/2', 'media/1']);
  expect(written).toEqual(['lobby picture 1']);
});
