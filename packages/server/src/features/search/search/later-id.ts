import { compareIds, type Id } from '@hearth/protocol';

/** The greater of two ids, or the one that there is. */
export function laterId(one: Id | undefined, other: Id | undefined): Id | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return compareIds(one, other) > 0 ? one : other;
}
