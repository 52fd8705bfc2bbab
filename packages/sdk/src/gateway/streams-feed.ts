import { LOBBY_STREAM } from '@hearth/protocol';
import type { Place } from '../conversation/conversation.ts';
import type { LobbyFeed } from '../lobby/feed.ts';
import type { AccountFeed } from './account-feed.ts';
import type { GatewayFeed } from './gateway-feed.ts';
import type { BrokenEvent, GatewayEvent } from './link-options.ts';
import type { Opening } from './opening.ts';
import { OtherStreams, type StreamsListener } from './other-streams.ts';

/** Gives each stream's events to the feed that follows it. */
export class StreamsFeed implements GatewayFeed {
  readonly #lobby: LobbyFeed;
  readonly #account: AccountFeed;
  readonly #others = new OtherStreams(() => this.#account.places);

  constructor(lobby: LobbyFeed, account: AccountFeed) {
    this.#lobby = lobby;
    this.#account = account;
  }

  get places(): ReadonlyMap<string, Place> {
    const { place } = this.#lobby;
    const others = this.#account.places;
    return place === undefined ? others : new Map([[LOBBY_STREAM, place], ...others]);
  }

  /** Gives `listener` what neither the lobby nor the account reads: also what has come before, since the last READY. */
  attach(listener: StreamsListener): void {
    this.#others.attach(listener);
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
        const opened = { ...opening, places };
        this.#account.opened(opened);
        this.#others.opened(opened);
        // The client may not read the lobby, so there is nothing that it could miss.
        return lobby === undefined || this.#lobby.opened(lobby);
      }
    }
  }

  event(event: GatewayEvent): void {
    const stream = streamOf(event);
    if (stream !== LOBBY_STREAM || event.op === 'USER_UPDATE' || event.op === 'SESSION_END') {
      this.#account.event(event, stream);
      this.#passOn(event);
    } else {
      this.#lobby.event(event);
    }
  }

  broken({ t = LOBBY_STREAM, s }: BrokenEvent): void {
    if (t === LOBBY_STREAM) this.#lobby.broken();
    else if (s !== undefined) this.#account.moved(t, s);
  }

  limited(retryAfterMs: number): void {
    this.#others.limited(retryAfterMs);
  }

  left(): void {
    this.#lobby.left();
    this.#others.left();
  }

  forgetUser(): void {
    this.#account.forget();
    this.#others.forgotten();
  }

  #passOn(event: GatewayEvent): void {
    if (event.op === 'unknown') this.#others.event(event);
    else if (event.op === 'STREAM_CLOSE') this.#others.streamClosed(event.d.stream);
    else if (event.op === 'STREAM_OPEN') {
      const { stream, epoch, s } = event.d;
      this.#others.streamOpened(stream, { epoch, s });
    }
  }
}

/** The gateways of profiles 0 and 1 have one stream, and do not name it. */
function streamOf(event: GatewayEvent): string {
  if (event.op === 'STREAM_OPEN' || event.op === 'STREAM_CLOSE') return event.d.stream;
  // What is only watched belongs to no stream.
  if (event.op === 'unknown' && event.s === undefined) return '';
  return ('t' in event ? event.t : undefined) ?? LOBBY_STREAM;
}
