import type { Id, OwnUser } from '@hearth/protocol';
import type { Place } from '../conversation/conversation.ts';
import type { Emitter } from '../emitter.ts';
import type { ClientEvents } from '../types.ts';
import type { GatewayEvent } from './link-options.ts';
import type { Opening } from './opening.ts';

/** The streams of a connection besides the lobby: that of the person who is signed in, and those of later versions. */
export class AccountFeed {
  readonly #events: Emitter<ClientEvents>;
  #places = new Map<string, Place>();
  #user: OwnUser | undefined;
  #sessionId: Id | undefined;
  #isEnded = false;

  constructor(events: Emitter<ClientEvents>) {
    this.#events = events;
  }

  /** The places to resume from. */
  get places(): ReadonlyMap<string, Place> {
    return this.#places;
  }

  /** The user who is signed in, once the gateway has said so. */
  get userId(): Id | undefined {
    return this.#user?.id;
  }

  /** True if the session of the connection has ended. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  opened({ places, user, session }: Extract<Opening, { profile: 2 }>): void {
    this.#places = new Map(places);
    this.#isEnded = false;
    this.#sessionId = session?.id ?? this.#sessionId;
    if (user !== undefined) this.#update(user);
  }

  event(event: GatewayEvent, stream: string): void {
    if (event.op === 'STREAM_OPEN') {
      this.#places.set(stream, { epoch: event.d.epoch, s: event.d.s });
      return;
    }
    if ('s' in event && event.s !== undefined) this.moved(stream, event.s);
    if (event.op === 'STREAM_CLOSE') this.#places.delete(stream);
    if (event.op === 'USER_UPDATE') this.#update(event.d);
    if (event.op === 'SESSION_END') {
      this.#isEnded ||= event.d.id === this.#sessionId;
      this.#events.emit('sessionEnd', { id: event.d.id });
    }
  }

  /** The stream is at `s` now. */
  moved(stream: string, s: number): void {
    const place = this.#places.get(stream);
    if (place !== undefined && s > place.s) this.#places.set(stream, { ...place, s });
  }

  /** Somebody else is signed in, or nobody. */
  forget(): void {
    this.#places.clear();
    this.#user = undefined;
    this.#sessionId = undefined;
  }

  #update(user: OwnUser): void {
    const known = this.#user;
    if (known?.id === user.id && user.version <= known.version) return;
    this.#user = user;
    this.#events.emit('userUpdate', user);
  }
}
