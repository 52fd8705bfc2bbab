import { compareIds, type Id, type LobbyMessage } from '@hearth/protocol';

/** The messages to read: of those that are still kept, the ones on one side of the given places. */
export interface MessageRange {
  /** Messages with numbers up to this one are no longer kept. */
  readonly afterNumber: number;
  /** Older messages are no longer kept. */
  readonly sinceMs: number;
  readonly after: Id | undefined;
  readonly before: Id | undefined;
  readonly limit: number;
  /** Which end of the range counts if there are more than `limit`. */
  readonly from: 'newest' | 'oldest';
}

/** Messages that are no longer kept. */
export type Outdated = Pick<MessageRange, 'afterNumber' | 'sinceMs'>;

export function isWithin(range: Omit<MessageRange, 'limit' | 'from'>, number: number) {
  const { afterNumber, sinceMs, after, before } = range;
  return ({ id, created_at }: LobbyMessage) =>
    number > afterNumber &&
    created_at >= sinceMs &&
    (after === undefined || compareIds(id, after) > 0) &&
    (before === undefined || compareIds(id, before) < 0);
}
