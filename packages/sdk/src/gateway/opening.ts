import type { ReceivedAccountEvent, ReceivedProfileEvent } from '@hearth/protocol/received';
import type { Place } from '../conversation/conversation.ts';

/** Places in streams, by the streams' names. */
export type Places = ReadonlyMap<string, Place>;

/** The data with which a gateway accepted a connection. */
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
      /** All of READY; undefined if the client goes on where it was. */
      readonly ready: Ready | undefined;
      /** The streams of the last connection that do not continue where they were. */
      readonly lost: readonly string[];
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
  const common = { profile: 2, places: new Map(places) } as const;
  if (op === 'RESUMED') {
    return { ...common, user: undefined, session: undefined, ready: undefined, lost: d.lost };
  }
  return { ...common, user: d.user, session: d.session, ready: d, lost: [] };
}
