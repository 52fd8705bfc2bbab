/** The number of nonces that are remembered: a message has come back by then. */
const MOST = 1_000;

/** The nonces of messages written in any tab of this browser: messages come back to all of them. */
export class OwnNonces implements Disposable {
  readonly #nonces = new Set<string>();
  readonly #others: BroadcastChannel | undefined;

  /** `instance` identifies the instance, because one origin may have had several. */
  constructor(instance: string) {
    this.#others = channelOf(`hearth.nonces.${instance}`);
    this.#others?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string') this.#note(data);
    });
  }

  /** Returns whether a message was written here. */
  has(nonce: string): boolean {
    return this.#nonces.has(nonce);
  }

  /** Remembers a message before it is sent. */
  add(nonce: string): void {
    this.#note(nonce);
    this.#others?.postMessage(nonce);
  }

  [Symbol.dispose](): void {
    this.#others?.close();
  }

  #note(nonce: string): void {
    this.#nonces.add(nonce);
    for (const oldest of this.#nonces) {
      if (this.#nonces.size <= MOST) return;
      this.#nonces.delete(oldest);
    }
  }
}

function channelOf(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name);
  } catch {
    // Browsers that deny the page its storage may also deny this.
    return undefined;
  }
}
