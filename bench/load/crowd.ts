import { AskingSocket, isAcknowledged, requireKnown, type Outcome } from './asking-socket.ts';
import type { HttpRequest } from './keep-alive.ts';
import { within } from './within.ts';

/** A request, without the person who makes it. */
export type Asked = Pick<HttpRequest, 'method' | 'path' | 'body'>;

/** The outcome of requests. */
export interface CrowdFigures {
  readonly acknowledged: number;
  /** Requests that were answered with 5xx, were cut, or were not acknowledged in time. */
  readonly failed: number;
  /** Answers with 429, after which a request was repeated. */
  readonly refusals: number;
  /** Until the last answer. */
  readonly milliseconds: number;
}

/** The number of people who connect at a time: the queue of a listening socket is not longer than some hundreds. */
const CONNECT_AT_ONCE = 50;

const RECOGNIZE_AGAIN_MS = 100;
const WHO_AM_I: Asked = { method: 'GET', path: '/users/me' };

interface Person {
  readonly socket: AskingSocket;
  readonly authorization: string;
}

/** People with an account and a connection each, who can all ask at once. */
export class Crowd implements Disposable {
  readonly #people: readonly Person[];

  /** The ports take turns. */
  constructor(ports: readonly number[], people: readonly string[]) {
    this.#people = people.map((authorization, at) => ({
      socket: new AskingSocket(ports[at % ports.length] ?? 0),
      authorization,
    }));
  }

  /** Connects everyone, and has the instance recognize them. To be called before each flood. */
  async prepare(): Promise<void> {
    for (let first = 0; first < this.#people.length; first += CONNECT_AT_ONCE) {
      const some = this.#people.slice(first, first + CONNECT_AT_ONCE);
      await Promise.all(
        some.map(async (person) => {
          await within(0, recognize(person), () => 'an answer to somebody who comes back');
        }),
      );
    }
  }

  /** Everyone, or the first few, ask for the same at the same time. What has no answer after `mostMs` is cut. */
  async flood(
    asked: Asked,
    { mostMs, people = this.#people.length }: { mostMs: number; people?: number },
  ): Promise<CrowdFigures> {
    const endsAt = performance.now() + mostMs;
    const giveUp = setTimeout(() => this[Symbol.dispose](), mostMs);
    try {
      const some = this.#people.slice(0, people);
      const outcomes = await Promise.all(some.map((person) => ask(person, asked, endsAt)));
      return figuresOf(outcomes, Math.max(...outcomes.map(({ milliseconds }) => milliseconds)));
    } finally {
      clearTimeout(giveUp);
    }
  }

  /** The first few ask for the same again and again, each as soon as the last answer has come. */
  async keep(
    asked: Asked,
    { people, milliseconds }: { readonly people: number; readonly milliseconds: number },
  ): Promise<CrowdFigures> {
    const outcomes: Outcome[] = [];
    const startedAt = performance.now();
    const endsAt = startedAt + milliseconds;
    await Promise.all(
      this.#people.slice(0, people).map(async (person) => {
        do outcomes.push(await ask(person, asked, endsAt));
        while (performance.now() < endsAt);
      }),
    );
    return figuresOf(outcomes, performance.now() - startedAt);
  }

  [Symbol.dispose](): void {
    for (const { socket } of this.#people) socket[Symbol.dispose]();
  }
}

// After a flood an instance may fail for a while.
async function recognize(person: Person): Promise<void> {
  await person.socket.connect();
  while (!isAcknowledged(await ask(person, WHO_AM_I, Infinity)))
    await Bun.sleep(RECOGNIZE_AGAIN_MS);
}

function ask({ socket, authorization }: Person, asked: Asked, endsAt: number): Promise<Outcome> {
  return socket.insist({ ...asked, headers: { authorization } }, endsAt);
}

function figuresOf(outcomes: readonly Outcome[], milliseconds: number): CrowdFigures {
  for (const outcome of outcomes) requireKnown(outcome);
  const acknowledged = outcomes.filter(isAcknowledged).length;
  return {
    acknowledged,
    failed: outcomes.length - acknowledged,
    refusals: outcomes.reduce((sum, { refusals }) => sum + refusals, 0),
    milliseconds,
  };
}
