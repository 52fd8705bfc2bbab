import { signal, type ReadonlySignal } from '@preact/signals';
import type { Client } from '@hearth/sdk';
import type { Id, Session } from '@hearth/protocol';
import type { Asked } from '../lib/asked.ts';

/** The sessions of the reader's account, the current one first. */
export class OwnSessions {
  readonly #client: Pick<Client, 'sessions'>;
  readonly #list = signal<Asked<readonly Session[]>>({ state: 'loading' });

  constructor(client: Pick<Client, 'sessions'>) {
    this.#client = client;
  }

  get list(): ReadonlySignal<Asked<readonly Session[]>> {
    return this.#list;
  }

  /** Asks the instance, again if that failed. */
  async load(): Promise<void> {
    if (this.#list.peek().state === 'failed') this.#list.value = { state: 'loading' };
    try {
      const sessions = await this.#client.sessions.list();
      const isCurrent = ({ current }: Session) => current === true;
      const value = [...sessions.filter(isCurrent), ...sessions.filter((each) => !isCurrent(each))];
      this.#list.value = { state: 'there', value };
    } catch (error) {
      this.#list.value = { state: 'failed', error };
    }
  }

  /** Ends one that is not the current one. Throws the errors of the SDK. */
  async end(id: Id): Promise<void> {
    await this.#client.sessions.end(id);
    this.#leave((session) => session.id !== id);
  }

  /** Ends all but the current one. Throws the errors of the SDK. */
  async endOthers(): Promise<void> {
    await this.#client.sessions.endOthers();
    this.#leave(({ current }) => current === true);
  }

  #leave(isLeft: (session: Session) => boolean): void {
    const asked = this.#list.peek();
    if (asked.state !== 'there') return;
    this.#list.value = { state: 'there', value: asked.value.filter(isLeft) };
  }
}
