import { compareIds, formatId, type Id } from '@hearth/protocol';

/** Comes after everything that can be searched. */
export const LAST_ID: Id = formatId({
  seconds: Number.MAX_SAFE_INTEGER,
  instanceId: 0,
  sequence: 0,
});

/** The greater of two ids, or the one that there is. */
export function laterId(one: Id | undefined, other: Id | undefined): Id | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return compareIds(one, other) > 0 ? one : other;
}
