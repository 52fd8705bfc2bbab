import type { Load, Turn } from '../compare.ts';
import { closeListener, openListener, type ListenerSocket } from './listener.ts';
import { mostHandshakes } from './most-sockets.ts';
import { ownCpuSeconds } from './own-cpu.ts';
import { within } from './within.ts';

/** Handshakes in flight at a time; a system's queue for connections that are not accepted yet often has no more room. */
const AT_ONCE = 500;

/** The sockets receive nothing, and `openListener` rejects if one is not accepted. */
const IGNORE = { frames() {}, fault() {} };

/** Sockets that connect as fast as they can. An operation is a handshake, and a turn is all of them. */
export class SocketStorm implements Load {
  readonly #port: number;
  readonly #size: number;
  #sockets: ListenerSocket[] = [];
  #begun = 0;

  constructor(port: number, size: number) {
    this.#port = port;
    this.#size = size;
  }

  async prepare(): Promise<void> {
    for (const socket of this.#sockets) closeListener(socket);
    this.#sockets = [];
  }

  async run(milliseconds: number): Promise<Turn> {
    const cpuBefore = ownCpuSeconds();
    this.#begun = 0;
    const connecting = Array.from({ length: mostHandshakes(AT_ONCE) }, () => this.#connectMore());
    try {
      await within(milliseconds, Promise.all(connecting), () => {
        return `${this.#size - this.#sockets.length} handshakes`;
      });
    } finally {
      this.#begun = this.#size;
    }
    return { operations: this.#size, cpuSeconds: ownCpuSeconds() - cpuBefore };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.prepare();
  }

  async #connectMore(): Promise<void> {
    while (this.#begun < this.#size) {
      this.#begun += 1;
      this.#sockets.push(await openListener(this.#port, IGNORE));
    }
  }
}
