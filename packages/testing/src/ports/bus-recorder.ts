import { LOBBY_STREAM, type Id } from '@hearth/protocol';
import type {
  JournalEvent,
  BusFollower,
  BusStart,
  Delivery,
  EventDelivery,
  StreamPosition,
} from '../../../server/src/ports/bus/bus.ts';

/** Returns the event of a posted message, before it has its identifier. */
export function message(content: string, nonce?: string): JournalEvent {
  const d = { author: 'someone', content, created_at: 1_800_000_000_000 };
  return { op: 'MESSAGE_CREATE', d: nonce === undefined ? d : { ...d, nonce } };
}

/** The place at which the lobby's stream began for a follower, and how much of the stream was kept. */
export interface LobbyStart {
  readonly at: StreamPosition;
  readonly kept: readonly EventDelivery[];
  /** The kept events and control entries. */
  readonly all: readonly Delivery[];
}

/** The deliveries that a follower received after one beginning. */
export interface Piece {
  readonly start: LobbyStart;
  /** Events, of all streams. */
  readonly taken: EventDelivery[];
  /** The events and the control entries. */
  readonly all: Delivery[];
}

/** A follower of the bus that records everything that it receives. */
export class Recorder implements BusFollower {
  readonly pieces: Piece[] = [];
  readonly #take: BusFollower['take'];

  /** `take` is called with every delivery after it was recorded. */
  constructor(take: BusFollower['take'] = () => {}) {
    this.#take = take;
  }

  get starts(): LobbyStart[] {
    return this.pieces.map(({ start }) => start);
  }

  get taken(): EventDelivery[] {
    return this.pieces.flatMap(({ taken }) => taken);
  }

  get contents(): string[] {
    return this.taken.map(contentOf);
  }

  /** All events and control entries. */
  get all(): Delivery[] {
    return this.pieces.flatMap(({ all }) => all);
  }

  get places(): StreamPosition[] {
    return this.taken.map(({ epoch, position }) => ({ epoch, position }));
  }

  /** The place at which it first began. */
  get startedAt(): StreamPosition {
    const [first] = this.starts;
    if (first === undefined) throw new Error('the follower has no beginning yet');
    return first.at;
  }

  begin({ heads, kept }: BusStart): void {
    const all = kept.map(({ delivery }) => delivery);
    const start = { at: heads.at(LOBBY_STREAM), kept: all.filter(isEvent), all };
    this.pieces.push({ start, taken: [], all: [] });
  }

  take(delivery: Delivery): Promise<void> | void {
    const piece = this.pieces.at(-1);
    if (piece === undefined) throw new Error('the follower has no beginning yet');
    piece.all.push(delivery);
    if (isEvent(delivery)) piece.taken.push(delivery);
    return this.#take(delivery);
  }
}

function isEvent(delivery: Delivery): delivery is EventDelivery {
  return 'event' in delivery;
}

/** The text of a delivered message. */
export function contentOf(delivery: Delivery): string {
  return String(dataOf(delivery)['content']);
}

/** The identifier of a delivered message. */
export function idOf(delivery: Delivery): Id {
  // Guarantee: the bus gives an identifier to every entry.
  return dataOf(delivery)['id'] as Id;
}

/** The data of a delivered event. */
export function dataOf(delivery: Delivery): Readonly<Record<string, unknown>> {
  return 'event' in delivery ? { ...delivery.event.d } : {};
}

/** The places of `count` consecutive publications after `start`. */
export function placesAfter({ epoch, position }: StreamPosition, count: number): StreamPosition[] {
  return Array.from({ length: count }, (_, i) => ({ epoch, position: position + 1 + i }));
}

/** Makes this many texts. */
export function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, i) => String(i));
}
