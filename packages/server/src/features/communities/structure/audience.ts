import { decidingLevels, decidingSight, maskDigits, type Id } from '@hearth/protocol';
import type { KnownChannel, KnownCommunity } from './known-community.ts';

/** The people who may follow the stream of a channel: what decides whether members of a community see it. */
export interface Audience {
  readonly community: Id;
  readonly owner: Id;
  /** The permissions of every role, including the everyone role, as pairs of its id and the digits of its mask. */
  readonly roles: readonly (readonly [Id, string])[];
  /** The overwrites of the category and of the channel: kind, id, and the digits of what is allowed and denied. */
  readonly levels: readonly (readonly (readonly ['role' | 'member', string, string, string])[])[];
}

/** Returns who sees a channel of a community. Two channels that the same members see may have different audiences. */
export function audienceOf(
  { stored, roleById }: Pick<KnownCommunity, 'stored' | 'roleById'>,
  { levels }: Pick<KnownChannel, 'levels'>,
): Audience {
  return {
    community: stored.id,
    owner: stored.ownerId,
    roles: Array.from(
      roleById.values(),
      ({ id, permissions }) => [id, maskDigits(decidingSight(permissions))] as const,
    ),
    levels: decidingLevels(levels).map((level) =>
      level.map(
        ({ kind, id, allow, deny }) => [kind, id, maskDigits(allow), maskDigits(deny)] as const,
      ),
    ),
  };
}
