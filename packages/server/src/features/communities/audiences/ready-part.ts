import type { Id } from '@hearth/protocol';
import type { z } from 'zod';
import type { ReadyState } from '../../../gateway-host.ts';
import type { StoredMember } from '../structure/structure.ts';

/** Users who are read together, and their memberships. */
export interface ReadTogether {
  readonly users: readonly Id[];
  readonly members: readonly StoredMember[];
}

/** A part of what READY says to members of communities. */
export interface MemberPart<Ctx, Key extends keyof ReadyState = keyof ReadyState> {
  readonly key: Key;
  readonly schema: z.ZodType<NonNullable<ReadyState[Key]>>;
  /** Reads it for many members with a few queries. Resolves with a function that describes to a user what concerns them. */
  readonly read: (
    ctx: Ctx,
    together: ReadTogether,
  ) => Promise<(user: Id, memberships: readonly StoredMember[]) => NonNullable<ReadyState[Key]>>;
}
