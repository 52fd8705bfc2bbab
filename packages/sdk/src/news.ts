import type { Pauses } from '@hearth/protocol';
import type { Session } from './session.ts';

/** News of the instance that the gateway reports while it is connected. */
export class News {
  readonly #events: Session['events'];
  #online: number | undefined;
  #pauses: Pauses | undefined;

  constructor(events: Session['events']) {
    this.#events = events;
  }

  get online(): number | undefined {
    return this.#online;
  }

  get pauses(): Pauses | undefined {
    return this.#pauses;
  }

  /** So many connections are open. */
  counted(count: number | undefined): void {
    if (count === this.#online) return;
    this.#online = count;
    this.#events.emit('online', { count });
  }

  /** This is paused. */
  paused(pauses: Pauses | undefined): void {
    if (pauses === this.#pauses) return;
    this.#pauses = pauses;
    this.#events.emit('pauses', { pauses });
  }

  /** The connection is not open, so nothing is known any more. */
  forget(): void {
    this.counted(undefined);
    this.paused(undefined);
  }
}
