import type { Load, Turn } from '../compare.ts';
import { KeepAlive, type HttpRequest } from './keep-alive.ts';
import { ownCpuSeconds } from './own-cpu.ts';
import { TurnEnd } from './turn-end.ts';

/** Keep-alive connections that send the next request as soon as the last one is answered; each sends the same again and again. */
export class HttpLoad implements Load {
  readonly #connections: readonly KeepAlive[];
  readonly #end = new TurnEnd();
  #idle = 0;
  #answered = 0;
  #isRunning = false;

  /** With several requests, the connections take them in turn. */
  constructor(request: HttpRequest | readonly HttpRequest[], connections: number) {
    const requests = 'path' in request ? [request] : request;
    const events = {
      answer: (connection: KeepAlive) => this.#onAnswer(connection),
      fault: (error: Error) => this.#end.fail(error),
    };
    this.#connections = Array.from({ length: connections }, (_, at) => {
      const own = requests[at % requests.length];
      if (own === undefined) throw new TypeError('no request');
      return new KeepAlive(own, events);
    });
  }

  async prepare(): Promise<void> {
    this.#end.check();
    for (const connection of this.#connections) await connection.connect();
  }

  /** Counts answers. Throws if one is wrong or missing, or if a connection is cut. */
  async run(milliseconds: number): Promise<Turn> {
    const cpuBefore = ownCpuSeconds();
    this.#end.begin();
    this.#answered = 0;
    this.#isRunning = true;
    this.#idle = 0;
    const stop = setTimeout(() => {
      this.#isRunning = false;
    }, milliseconds);
    try {
      for (const connection of this.#connections) connection.send();
      await this.#end.reached(
        milliseconds,
        () => `${this.#connections.length - this.#idle} answers`,
      );
    } finally {
      clearTimeout(stop);
      this.#isRunning = false;
    }
    return { operations: this.#answered, cpuSeconds: ownCpuSeconds() - cpuBefore };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of this.#connections) connection[Symbol.dispose]();
  }

  #onAnswer(connection: KeepAlive): void {
    this.#answered += 1;
    if (this.#isRunning) return connection.send();
    this.#idle += 1;
    if (this.#idle === this.#connections.length) this.#end.reach();
  }
}
