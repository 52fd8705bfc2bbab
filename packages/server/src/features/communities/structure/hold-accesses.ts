import { NotFoundError, UnauthorizedError, type Id } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { readExcluded, readExclusion } from './exclusion.ts';
import { selectMembers } from './member-store.ts';
import { holdVersionsOf, selectStructureVersions } from './versions-store.ts';
import { holdActiveUsers } from '../../accounts/users/users.ts';
import { accessIn, type ChannelAccess } from './access.ts';
import { holdAllRules } from './hold-rules.ts';
import { readCommunity } from './known-communities.ts';

/** Somebody who does something in a channel. */
export interface Acting {
  readonly actor: Account;
  /** The access as it was read before. */
  readonly access: ChannelAccess;
  /** Throws what is wrong if they may not do it. */
  readonly requires: (access: ChannelAccess) => void;
}

/**
 * The access of somebody as a transaction finds it, which is the same object if it is what was read before; or why they
 * may not do it: UnauthorizedError after the end of the account, NotFoundError, or what `requires` throws.
 */
export type HeldAccess = { readonly access: ChannelAccess } | { readonly error: unknown };

/** The accesses of people, and the accounts that were locked. */
export interface HeldAccesses {
  /** For each of the people. */
  readonly held: readonly HeldAccess[];
  readonly users: Awaited<ReturnType<typeof holdActiveUsers>>;
}

/**
 * Keeps what people may do as it is until the transaction ends. Locks the accounts of all of them, or only of those who are no
 * members: they have no row that a ban or the end of the account would change.
 */
export async function holdAccesses(
  tx: Transaction,
  ctx: Pick<Context, 'clock'>,
  { all, locks }: { readonly all: readonly Acting[]; readonly locks: 'everyone' | 'strangers' },
): Promise<HeldAccesses> {
  const nowMs = ctx.clock.unixMs();
  const communityIds = [...new Set(all.map(communityOf))];
  await holdAllRules(tx, communityIds);
  const strangers = all.filter(({ access }) => access.member === undefined);
  const locked = locks === 'everyone' ? all : strangers;
  const users = await holdActiveUsers(tx, new Set(locked.map(({ actor }) => actor.user_id)));
  const versions = new Map<string, number>();
  const structures = new Map<Id, number>();
  for (const held of await holdVersionsOf(tx, onceEach(all))) {
    versions.set(keyOf(held), held.version);
    structures.set(held.communityId, held.structureVersion);
  }
  const others = communityIds.filter((id) => !structures.has(id));
  for (const [id, version] of await selectStructureVersions(tx, others)) {
    structures.set(id, version);
  }
  const excluded = new Set((await readExcluded(tx, onceEach(strangers), nowMs)).map(keyOf));
  const changed = all.filter((acting) => {
    const { community, member } = acting.access;
    const { id, structureVersion } = community.stored;
    const key = keyOf(personOf(acting));
    const isSame = structures.get(id) === structureVersion && versions.get(key) === member?.version;
    return !isSame || excluded.has(key);
  });
  const now = await accessesNow(tx, ctx, changed);
  const ended = new Set(locked.filter(({ actor }) => !users.has(actor.user_id)));
  const held = all.map((acting): HeldAccess => {
    if (ended.has(acting)) return { error: new UnauthorizedError('token_ended') };
    return now.get(acting) ?? { access: acting.access };
  });
  return { held, users };
}

/**
 * Reads what people may do as a transaction finds it, in few queries although a change of a community concerns all who
 * were there.
 */
export async function accessesNow(
  { sql }: Transaction,
  ctx: Pick<Context, 'clock'>,
  all: readonly Acting[],
): Promise<ReadonlyMap<Acting, HeldAccess>> {
  const found = new Map<Acting, HeldAccess>();
  const nowMs = ctx.clock.unixMs();
  for (const [communityId, some] of Map.groupBy(all, communityOf)) {
    const community = await readCommunity(sql, communityId);
    const userIds = [...new Set(some.map(({ actor }) => actor.user_id))];
    const members = await selectMembers(sql, communityId, userIds);
    const byId = new Map(members.map((member) => [member.userId, member]));
    for (const acting of some) {
      const { actor, access, requires } = acting;
      const member = byId.get(actor.user_id);
      const key = { communityId, userId: actor.user_id, nowMs };
      const exclusion = member === undefined ? { exclusion: await readExclusion(sql, key) } : {};
      const place = { member, channelId: access.channel.id, ...exclusion };
      const now = community && accessIn(ctx, actor, { community, ...place });
      found.set(acting, heldOf(now, requires));
    }
  }
  return found;
}

function heldOf(now: ChannelAccess | undefined, requires: Acting['requires']): HeldAccess {
  try {
    if (now === undefined) throw new NotFoundError();
    requires(now);
    return { access: now };
  } catch (error) {
    return { error };
  }
}

interface Person {
  readonly communityId: Id;
  readonly userId: Id;
}

function communityOf({ access }: Acting): Id {
  return access.community.stored.id;
}

function personOf(acting: Acting): Person {
  return { communityId: communityOf(acting), userId: acting.actor.user_id };
}

function onceEach(all: readonly Acting[]): readonly Person[] {
  const people = all.map(personOf);
  return [...new Map(people.map((person) => [keyOf(person), person])).values()];
}

function keyOf({ communityId, userId }: Person): string {
  return `${communityId} ${userId}`;
}
