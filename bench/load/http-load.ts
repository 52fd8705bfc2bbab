import type { Load, Turn } from '../compare.ts';
import { KeepAlive, type HttpRequest } from './keep-alive.ts';
import { ownCpuSeconds } from './own-cpu.ts';

/** Keep-alive connections that send a request as soon as the one before is answered. */
export class HttpLoad implements Load {
  readonly #connections: readonly KeepAlive[];
  #idle = 0;
  #answered = 0;
  #isRunning = false;
  #turn = Promise.withResolvers<void>();

  constructor(request: HttpRequest, connections: number) {
    const events = {
      answer: (connection: KeepAlive) => this.#onAnswer(connection),
      fault: (error: Error) => this.#turn.reject(error),
    };
    this.#connections = Array.from({ length: connections }, () => new KeepAlive(request, events));
  }

  async prepare(): Promise<void> {
    for (const connection of this.#connections) await connection.connect();
  }

  /** Counts answers. Throws where one is no 200, or a connection is cut. */
  async run(milliseconds: number): Promise<Turn> {
    const cpuBefore = ownCpuSeconds();
    this.#answered = 0;
    this.#isRunning = true;
    this.#turn = Promise.withResolvers();
    this.#idle = 0;
    for (const connection of this.#connections) connection.send();
    setTimeout(() => {
      this.#isRunning = false;
    }, milliseconds);
    await this.#turn.promise;
    return { operations: this.#answered, cpuSeconds: ownCpuSeconds() - cpuBefore };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of this.#connections) connection[Symbol.dispose]();
  }

  #onAnswer(connection: KeepAlive): void {
    this.#answered += 1;
    if (this.#isRunning) return connection.send();
    this.#idle += 1;
    if (this.#idle === this.#connections.length) this.#turn.resolve();
  }
}
