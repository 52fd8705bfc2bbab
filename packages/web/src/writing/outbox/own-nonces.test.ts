import { expect, test } from 'bun:test';
import { OwnNonces } from './own-nonces.ts';

test('a nonce from one tab is known in the others of the same instance', async () => {
  using one = new OwnNonces('here');
  using other = new OwnNonces('here');
  using elsewhere = new OwnNonces('elsewhere');
  using watcher = new BroadcastChannelWatcher('hearth.nonces.here');
  one.add('a nonce');
  expect(one.has('a nonce')).toBe(true);
  await watcher.next;
  expect(other.has('a nonce')).toBe(true);
  expect(elsewhere.has('a nonce')).toBe(false);
});

test('the oldest nonces are forgotten', () => {
  using nonces = new OwnNonces('here');
  for (let index = 0; index <= 1_000; index += 1) nonces.add(`nonce ${index}`);
  expect([nonces.has('nonce 0'), nonces.has('nonce 1'), nonces.has('nonce 1000')]).toEqual([
    false,
    true,
    true,
  ]);
});

/** Receives messages to tabs, after all tabs have. */
class BroadcastChannelWatcher implements Disposable {
  readonly next: Promise<unknown>;
  readonly #channel: BroadcastChannel;

  constructor(name: string) {
    this.#channel = new BroadcastChannel(name);
    this.next = new Promise((resolve) => {
      this.#channel.addEventListener('message', resolve, { once: true });
    });
  }

  [Symbol.dispose](): void {
    this.#channel.close();
  }
}
