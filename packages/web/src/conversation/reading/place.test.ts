import { parseId, type Id } from '@hearth/protocol';
import {
  FeatureUnavailableError,
  NetworkError,
  type LobbyMessage,
  type MessageQuery,
} from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { MessageStore, type MessageStoreSource } from '../messages/message-store.ts';
import type { ShownMessages } from '../messages/shown-messages.ts';
import { ReadingPlace } from './place.ts';

const idOf = (number: number): Id => parseId(String(number)) ?? expect.unreachable();

/** A history of messages 1 to `count`, without those in `removed`. */
class History implements MessageStoreSource {
  readonly isHearth = true;
  readonly connection = { state: 'open', profile: 1, isCurrent: true } as const;
  readonly asked: MessageQuery[] = [];
  hasAround = true;
  isAway = false;
  readonly #removed: readonly number[];
  readonly #listeners = new Map<string, (event: never) => void>();
  #count: number;

  constructor(count: number, removed: readonly number[] = []) {
    this.#count = count;
    this.#removed = removed;
  }

  on = (name: string, listener: (event: never) => void) => {
    this.#listeners.set(name, listener);
    return () => {};
  };

  open = () => Promise.resolve();

  listMessages = async (query: MessageQuery = {}): Promise<readonly LobbyMessage[]> => {
    this.asked.push(query);
    await Promise.resolve();
    if (this.isAway) throw new NetworkError('away');
    const { before, after, around, limit = 50 } = query;
    if (around !== undefined && !this.hasAround) throw new FeatureUnavailableError('around');
    const all = Array.from({ length: this.#count }, (_, index) => index + 1)
      .filter((number) => !this.#removed.includes(number))
      .filter((number) => before === undefined || number < Number(before))
      .filter((number) => after === undefined || number > Number(after));
    const middle = all.findIndex((number) => number >= Number(around));
    const start = Math.max(0, middle - limit / 2);
    const page = after !== undefined ? all.slice(0, limit) : all.slice(-limit);
    const kept = around === undefined ? page : all.slice(start, start + limit);
    return kept.toReversed().map((number) => ({
      id: idOf(number),
      author: 'ada',
      content: `no. ${number}`,
      created_at: number,
    }));
  };
}

function openAt(history: History) {
  const live = new MessageStore(history, { isOwnNonce: () => false });
  live.start();
  return { live, place: new ReadingPlace(live, history, {}) };
}

const numbersIn = ({ entries }: ShownMessages) =>
  entries.value.map((entry) => (entry.kind === 'message' ? Number(entry.id) : 0));

const oneTo = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('[WC24] a message that is far back is shown with those around it, and the newest are a step away', async () => {
  const history = new History(1_000);
  const { live, place } = openAt(history);
  await place.seek(idOf(300));
  expect(place.found.value).toEqual({ key: '300', hasFailed: false });
  expect(place.part.value.messages.isLive).toBe(false);
  expect(numbersIn(place.part.value.messages)).toEqual(oneTo(250, 349));
  expect(history.asked.length).toBe(2);
  await place.seek(idOf(310));
  expect([place.found.value?.key, history.asked.length]).toEqual(['310', 2]);
  expect(place.sought.value).toBe(idOf(310));
  place.showNewest();
  expect(place.part.value.messages).toBe(live);
  expect([place.sought.value, place.found.value]).toEqual([undefined, undefined]);
  expect(numbersIn(live)).toEqual(oneTo(901, 1_000));
});

test('[WC44] read on in both directions, a part of the history becomes one with the newest messages', async () => {
  const { live, place } = openAt(new History(1_000));
  await place.seek(idOf(800));
  const { number, messages } = place.part.value;
  await messages.loadOlder();
  expect(numbersIn(messages)).toEqual(oneTo(650, 849));
  await place.loadNewer();
  await Promise.resolve();
  expect(place.part.value).toEqual({ messages: live, number });
  expect(numbersIn(live)).toEqual(oneTo(650, 1_000));
  await live.loadOlder();
  expect(numbersIn(live)).toEqual(oneTo(550, 1_000));
});

test('[WC24][WC24a] a message that was removed is not found, and of the messages around a moment the next one is', async () => {
  const { live, place } = openAt(new History(1_000, [300]));
  await place.seek(idOf(300));
  expect(place.found.value).toEqual({ key: undefined, hasFailed: false });
  expect(place.part.value.messages).toBe(live);
  await place.seek(idOf(300), { orNext: true });
  expect(place.found.value).toEqual({ key: '301', hasFailed: false });
  await place.seek(idOf(5_000), { orNext: true });
  expect(place.found.value).toEqual({ key: '1000', hasFailed: false });
  expect(place.part.value.messages).toBe(live);
});

test('[WC24] without that feature, older pages are loaded until the message is there', async () => {
  const history = new History(1_000);
  history.hasAround = false;
  const { live, place } = openAt(history);
  await place.seek(idOf(750));
  expect(place.found.value).toEqual({ key: '750', hasFailed: false });
  expect(numbersIn(live)[0]).toBe(701);
});

test('[WC24][WC24a] a search that fails leaves the reader where they are, and does not claim that the message is missing', async () => {
  const history = new History(1_000);
  const { place } = openAt(history);
  await place.seek(idOf(300));
  const part = place.part.value;
  const asked = history.asked.length;
  history.isAway = true;
  await place.seek(idOf(600));
  expect(place.found.value).toEqual({ key: undefined, hasFailed: true });
  expect(place.part.value).toBe(part);
  expect(history.asked.length).toBe(asked + 1);
  history.isAway = false;
  await place.seek(idOf(600));
  expect(place.found.value).toEqual({ key: '600', hasFailed: false });
});

test('[WC24][WC24a] without that feature, a page that cannot be loaded is a failure, too', async () => {
  const history = new History(1_000);
  history.hasAround = false;
  const { live, place } = openAt(history);
  await live.loadOlder();
  history.listMessages = async (query) => {
    await Promise.resolve();
    throw query?.around === undefined
      ? new NetworkError('away')
      : new FeatureUnavailableError('around');
  };
  await place.seek(idOf(300));
  expect(place.found.value).toEqual({ key: undefined, hasFailed: true });
});

test('[WC44] only the last search counts', async () => {
  const { place } = openAt(new History(1_000));
  const first = place.seek(idOf(300));
  await place.seek(idOf(600));
  await first;
  expect(place.found.value).toEqual({ key: '600', hasFailed: false });
});
