import { LOBBY_STREAM } from '@hearth/protocol';
import type { Place } from '../conversation/conversation.ts';
import type { LobbyFeed } from '../lobby/feed.ts';
import type { AccountFeed } from './account-feed.ts';
import type { GatewayFeed } from './gateway-feed.ts';
import type { BrokenEvent, GatewayEvent } from './link-options.ts';
import type { Opening } from './opening.ts';

/** Gives each stream's events to the feed that follows it. */
export class StreamsFeed implements GatewayFeed {
  readonly #lobby: LobbyFeed;
  readonly #account: AccountFeed;

  constructor(lobby: LobbyFeed, account: AccountFeed) {
    this.#lobby = lobby;
    this.#account = account;
  }

  get places(): ReadonlyMap<string, Place> {
    const { place } = this.#lobby;
    const others = this.#account.places;
    return place === undefined ? others : new Map([[LOBBY_STREAM, place], ...others]);
  }

  get isSessionEnded(): boolean {
    return this.#account.isEnded;
  }

  prepare(signal: AbortSignal): Promise<void> {
    return this.#lobby.prepare(signal);
  }

  opened(opening: Opening): boolean {
    switch (opening.profile) {
      case 0:
        return this.#lobby.opened(undefined);
      case 1:
        return this.#lobby.opened(opening.place);
      case 2: {
        const places = new Map(opening.places);
        const lobby = places.get(LOBBY_STREAM);
        places.delete(LOBBY_STREAM);
        this.#account.opened({ ...opening, places });
        // The client may not read the lobby, so there is nothing that it could miss.
        return lobby === undefined || this.#lobby.opened(lobby);
      }
    }
  }

  event(event: GatewayEvent): void {
    const stream = streamOf(event);
    if (stream !== LOBBY_STREAM || event.op === 'USER_UPDATE' || event.op === 'SESSION_END') {
      this.#account.event(event, stream);
    } else {
      this.#lobby.event(event);
    }
  }

  broken({ t = LOBBY_STREAM, s }: BrokenEvent): void {
    if (t === LOBBY_STREAM) this.#lobby.broken();
    else if (s !== undefined) this.#account.moved(t, s);
  }

  left(): void {
    this.#lobby.left();
  }

  forgetUser(): void {
    this.#account.forget();
  }
}

/** The gateways of profiles 0 and 1 have one stream, and do not name it. */
function streamOf(event: GatewayEvent): string {
  if (event.op === 'STREAM_OPEN' || event.op === 'STREAM_CLOSE') return event.d.stream;
  return ('t' in event ? event.t : undefined) ?? LOBBY_STREAM;
}
