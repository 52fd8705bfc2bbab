import type { ReplayBuffer } from './replay-buffer.ts';

/** A stream that clients catch up with. */
export interface CatchUpStream {
  readonly buffer: Pick<ReplayBuffer, 'head' | 'at'>;
}

/** The place of a client in a stream that it is catching up with. */
export interface CatchUpPlace<Stream> {
  readonly stream: Stream;
  /** Position of the last event that it was sent. */
  position: number;
  /** Position of the last event that it may have, if its access has ended. */
  end: number | undefined;
  /** True if it is still to be decided if its access has ended there. */
  isHeld: boolean;
}

/** The position up to which a client is to be sent the stream. */
export function targetOf({ stream, end }: CatchUpPlace<CatchUpStream>): number {
  return end ?? stream.buffer.head.position;
}

/** Returns whether nothing is to be sent until it is decided whether more may be. */
export function isWaiting({ isHeld, position, end }: CatchUpPlace<CatchUpStream>): boolean {
  return isHeld && position === end;
}

/** Returns whether the next event is no longer kept. */
export function isLost(place: CatchUpPlace<CatchUpStream>): boolean {
  const { position, stream } = place;
  return position < targetOf(place) && stream.buffer.at(position + 1) === undefined;
}
