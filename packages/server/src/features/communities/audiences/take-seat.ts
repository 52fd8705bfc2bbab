import type { Id } from '@hearth/protocol';
import type { ConnectedClient, Followers, SeatPlan } from '../../../gateway-host.ts';
import type { StreamName } from '../../../ports/bus/bus.ts';
import { mayHaveEnded, type Reading } from './audience-reads.ts';
import { Seat, type LocalHome, type LocalUser } from './local-homes.ts';

/** The outcome of a reading. */
export interface Taken {
  readonly lost: readonly LostStream[];
  /** True if an access has ended since the reading began, so that what was read was not used. */
  readonly isStale: boolean;
}

/** A stream that a socket follows although its user may not, as far as the database says. */
export interface LostStream {
  readonly socket: ConnectedClient;
  readonly seat: Seat;
  readonly stream: StreamName;
}

/** Returns what a user is to follow of a home, as it was read. */
export function seatFrom({ found }: Reading, home: StreamName, user: Id): SeatPlan {
  const plan = found.seats.get(user)?.find((each) => each.home === home);
  return plan ?? { home, roles: [], streams: [] };
}

/**
 * Lets the sockets of a user follow what the user may follow, and decides on those that are held. Returns what they still
 * follow and are not to. What was read is not used if an access of the user to any of these streams has ended since: then it
 * has to be read again.
 */
export function takeSeat(
  hub: Pick<Followers, 'open' | 'decide' | 'follows' | 'isHeld'>,
  {
    local,
    home,
    plan,
    reading,
  }: {
    readonly local: LocalUser;
    readonly home: LocalHome;
    readonly plan: SeatPlan;
    readonly reading: Reading;
  },
): Taken {
  // The user may have been forgotten meanwhile.
  if (!local.seats.has(home)) return { lost: [], isStale: false };
  if (mayHaveEnded(reading, plan, local.id)) return { lost: [], isStale: true };
  const seat = local.seats.get(home) ?? new Seat(local.id, { ...plan, streams: [] });
  const former = seat.streams;
  seat.plan = plan;
  const lost: LostStream[] = [];
  for (const socket of local.sockets) {
    for (const stream of plan.streams) {
      if (hub.follows(socket, stream)) hub.decide(socket, stream, true);
      else hub.open(socket, { stream, access: seat, from: reading.since.placeOf(stream) });
    }
    for (const stream of former) {
      if (plan.streams.includes(stream)) continue;
      if (hub.isHeld(socket, stream)) hub.decide(socket, stream, false);
      else if (hub.follows(socket, stream)) lost.push({ socket, seat, stream });
    }
  }
  if (plan.streams.length > 0) local.seats.set(home, seat);
  else if (!home.willRead(local)) {
    local.seats.delete(home);
    home.leave(local);
  }
  return { lost, isStale: false };
}
