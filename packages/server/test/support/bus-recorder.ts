import type {
  BusFollower,
  Delivery,
  Publication,
  StreamPosition,
  StreamStart,
} from '../../src/ports/bus/bus.ts';

/** What happens when a message is published. */
export function publication(content: string, nonce?: string): Publication {
  const message = { author: 'someone', content, created_at: 1_800_000_000_000 };
  const d = nonce === undefined ? message : { ...message, nonce };
  return { audience: 'everyone', event: { op: 'MESSAGE_CREATE', d } };
}

/** What a follower took behind one beginning. */
export interface Piece {
  readonly start: StreamStart;
  readonly taken: Delivery[];
}

/** A follower of the bus that keeps what it was told. */
export class Recorder implements BusFollower {
  readonly pieces: Piece[] = [];
  readonly #take: BusFollower['take'];

  /** `take` is called with every delivery after it was kept. */
  constructor(take: BusFollower['take'] = () => {}) {
    this.#take = take;
  }

  get starts(): StreamStart[] {
    return this.pieces.map(({ start }) => start);
  }

  get taken(): Delivery[] {
    return this.pieces.flatMap(({ taken }) => taken);
  }

  get contents(): string[] {
    return this.taken.map(contentOf);
  }

  get places(): StreamPosition[] {
    return this.taken.map(({ epoch, position }) => ({ epoch, position }));
  }

  /** Where it began for the first time. */
  get startedAt(): StreamPosition {
    const [first] = this.starts;
    if (first === undefined) throw new Error('the follower was not told where it begins');
    return first.at;
  }

  begin(start: StreamStart): void {
    this.pieces.push({ start, taken: [] });
  }

  take(delivery: Delivery): Promise<void> | void {
    const piece = this.pieces.at(-1);
    if (piece === undefined) throw new Error('the follower was not told where it begins');
    piece.taken.push(delivery);
    return this.#take(delivery);
  }
}

/** The text of a delivered message. */
export function contentOf({ event }: Delivery): string {
  return event.d.content;
}

/** The places of `count` publications that follow one another behind `start`. */
export function behind({ epoch, position }: StreamPosition, count: number): StreamPosition[] {
  return Array.from({ length: count }, (_, i) => ({ epoch, position: position + 1 + i }));
}

/** So many texts. */
export function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, i) => String(i));
}
