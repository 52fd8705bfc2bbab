import type { Id } from '@hearth/protocol';
import { signedInSchema } from '@hearth/protocol/schemas';
import { PASSWORD } from '@hearth/testing/instances/test-accounts';
import type { Choices } from './choices.ts';
import type { Fleet } from './fleet.ts';

/** The time in milliseconds for which a request is repeated while processes are killed. */
const MOST_MS = 20_000;
const PAUSE_MS = 20;

/** An answer that came, perhaps to a repetition of a request that was not answered. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly wasRepeated: boolean;
}

/** Somebody with an account who uses any process that runs. */
export class Person {
  readonly name: string;
  readonly #fleet: Pick<Fleet, 'address' | 'mayFail'>;
  readonly #choices: Choices;
  /** The longest time in milliseconds that one request took. */
  slowestMs = 0;
  token = '';
  id = '' as Id;

  constructor(name: string, fleet: Pick<Fleet, 'address' | 'mayFail'>, choices: Choices) {
    this.name = name;
    this.#fleet = fleet;
    this.#choices = choices;
  }

  async register(): Promise<void> {
    const person = { username: this.name, email: `${this.name}@example.org`, password: PASSWORD };
    const { body } = await this.ask('POST', '/users', person);
    const { token, user } = signedInSchema.parse(body);
    [this.token, this.id] = [token, user.id];
  }

  /** Returns where this person connects to the gateway next. */
  gateway(): string {
    return this.#fleet.address('gateway', this.#choices);
  }

  /** Sends a request until a process answers it. Throws if it is not answered, or if the instance failed. */
  async ask(method: string, path: string, given?: unknown): Promise<Reply> {
    const endAt = performance.now() + MOST_MS;
    for (let attempt = 1; ; attempt += 1) {
      const beganAt = performance.now();
      try {
        const answer = await fetch(this.#fleet.address('rest', this.#choices) + path, {
          method,
          headers: this.token === '' ? {} : { Authorization: `Bearer ${this.token}` },
          ...(given !== undefined && { body: JSON.stringify(given) }),
        });
        const body: unknown = await answer.json();
        this.slowestMs = Math.max(this.slowestMs, performance.now() - beganAt);
        if (answer.status >= 500) throw new InstanceFailure(method, path, body);
        return { status: answer.status, body, wasRepeated: attempt > 1 };
      } catch (error) {
        const isTolerated = !(error instanceof InstanceFailure) || this.#fleet.mayFail();
        if (!isTolerated || performance.now() > endAt) throw error;
        await Bun.sleep(PAUSE_MS);
      }
    }
  }
}

/** The instance answered that it failed, which only the failure of a server may cause, and no kill of another process. */
class InstanceFailure extends Error {
  constructor(method: string, path: string, body: unknown) {
    super(`${method} ${path}: ${JSON.stringify(body)}`);
  }
}
