import type { Id } from '@hearth/protocol';
import type { UserStanding } from '../../gateway-host.ts';
import type { StreamName, StreamPosition } from '../../ports/bus/bus.ts';
import type { Streams } from './streams.ts';

/** The streams to follow, by whom, and what is known of them. */
export interface ToFollow {
  /** Undefined for guests. */
  readonly user: Id | undefined;
  /** The stream of the user, and where it was before the user was read; undefined if nothing of them was read. */
  readonly own: { readonly stream: StreamName; readonly readAt?: StreamPosition } | undefined;
  /** The streams that everyone follows, and that of the user. */
  readonly streams: readonly StreamName[];
  readonly standing: UserStanding;
  /** The place where the client wants to continue. */
  readonly resume: ReadonlyMap<StreamName, StreamPosition | undefined> | undefined;
}

/** The places at which a client continues or begins its streams. */
export interface Places {
  readonly recovered: readonly StreamName[];
  readonly places: ReadonlyMap<StreamName, StreamPosition>;
}

export function allStreams({
  streams,
  standing,
}: Pick<ToFollow, 'streams' | 'standing'>): readonly StreamName[] {
  return [...streams, ...standing.seats.flatMap((seat) => seat.streams)];
}

/**
 * Returns where a client continues or begins each of its streams. Undefined if the state of its user has to be read
 * first, or again: if a stream that shows it cannot be continued, if what was read is older than what is kept, or if an
 * access has ended since.
 */
export function placesFor(
  known: Pick<Streams, 'headOf' | 'hasAllAfter'>,
  { user, own, streams, standing, resume }: ToFollow,
): Places | undefined {
  const { seats, reading } = standing;
  if (user !== undefined && reading !== undefined) {
    if (seats.some((seat) => reading.since.mayHaveEnded(seat.streams, user))) return undefined;
  }
  const isRead = own?.readAt !== undefined;
  const shown = seats.filter(({ mayBeLost }) => mayBeLost !== true);
  const whole = new Set([own?.stream, ...shown.map(({ home }) => home)]);
  const beginning = (stream: StreamName): StreamPosition => {
    if (own?.readAt !== undefined && stream === own.stream) return own.readAt;
    // Nothing that was read shows the lobby.
    if (streams.includes(stream)) return known.headOf(stream);
    return reading?.since.placeOf(stream) ?? known.headOf(stream);
  };
  const recovered: StreamName[] = [];
  const places = new Map<StreamName, StreamPosition>();
  for (const stream of allStreams({ streams, standing })) {
    const asked = resume?.get(stream);
    const isContinued = asked !== undefined && known.hasAllAfter(stream, asked);
    if (!isContinued && !isRead && whole.has(stream)) return undefined;
    const at = isContinued ? asked : beginning(stream);
    if (!isContinued && !known.hasAllAfter(stream, at)) return undefined;
    if (isContinued) recovered.push(stream);
    places.set(stream, at);
  }
  return { recovered, places };
}
