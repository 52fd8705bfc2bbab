import type { ReceivedAccountEvent, ReceivedProfileEvent } from '@hearth/protocol/received';
import type { Place } from '../conversation/conversation.ts';

/** Places in streams, by the streams' names. */
export type Places = ReadonlyMap<string, Place>;

/** How a gateway accepted a connection. */
export type Opening =
  /** The documented gateway. */
  | { readonly profile: 0 }
  | { readonly profile: 1; readonly place: Place }
  | {
      readonly profile: 2;
      /** After these places, the events of each stream follow. */
      readonly places: Places;
      readonly user: Ready['user'];
      readonly session: Ready['session'];
    };

type Ready = Extract<ReceivedAccountEvent, { op: 'READY' }>['d'];

/** The opening of a connection of profile 1. */
export function lobbyOpening({
  epoch,
  s,
}: Extract<ReceivedProfileEvent, { op: 'HELLO' }>['d']): Opening {
  return { profile: 1, place: { epoch, s } };
}

/** The opening of a connection of profile 2. */
export function accountOpening({
  op,
  d,
}: Extract<ReceivedAccountEvent, { op: 'READY' | 'RESUMED' }>): Opening {
  const places = Object.entries(d.streams).map(
    ([stream, [epoch, s]]) => [stream, { epoch, s }] as const,
  );
  const { user, session } = op === 'READY' ? d : {};
  return { profile: 2, places: new Map(places), user, session };
}
