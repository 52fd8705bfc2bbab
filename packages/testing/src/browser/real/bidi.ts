import { z } from 'zod';

const answerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('success'), id: z.number(), result: z.unknown() }),
  z.object({ type: z.literal('error'), id: z.number(), error: z.string(), message: z.string() }),
  z.object({ type: z.literal('event') }),
]);

const CLOSED = 'the browser closed the connection';

/** A connection of WebDriver BiDi. Its events are not used. */
export class Bidi implements Disposable {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #sent = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(String(data)));
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error(CLOSED));
    });
  }

  /** Connects to a browser at this address. */
  static async connect(address: string): Promise<Bidi> {
    const socket = new WebSocket(address);
    const opened = Promise.withResolvers<void>();
    socket.addEventListener('open', () => opened.resolve());
    socket.addEventListener('error', () => opened.reject(new Error(`no browser at ${address}`)));
    await opened.promise;
    return new Bidi(socket);
  }

  /** Sends a command and resolves with its result. Rejects if the browser has ended. */
  send(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown> {
    if (this.#socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error(CLOSED));
    const id = (this.#sent += 1);
    const answered = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answered);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return answered.promise;
  }

  #receive(text: string): void {
    const answer = answerSchema.parse(JSON.parse(text));
    if (answer.type === 'event') return;
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.type === 'success') waiting?.resolve(answer.result);
    else waiting?.reject(new Error(`${answer.error}: ${answer.message}`));
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}
