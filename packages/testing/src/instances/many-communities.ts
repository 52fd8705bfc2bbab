import { formatId, NEW_EVERYONE_PERMISSIONS, PERMISSIONS, readPermissions } from '@hearth/protocol';
import { join } from 'node:path';
import { addChannel } from '../../../server/src/features/communities/channels/create-channel.ts';
import { setLast } from '../../../server/src/features/platform/turns/turns.ts';
import { upsertOverwrite } from '../../../server/src/features/communities/structure/channel-store.ts';
import { takeSlug } from '../../../server/src/features/communities/structure/slug-store.ts';
import { insertCommunity } from '../../../server/src/features/communities/structure/community-store.ts';
import { addMember } from '../../../server/src/features/communities/members/add-member.ts';
import { addRole } from '../../../server/src/features/communities/roles/create-role.ts';
import { systemClock as clock } from '../../../server/src/lib/clock.ts';
import { sqliteDatabase } from '../../../server/src/engines/databases.ts';

export interface ManyCommunities {
  readonly communities: number;
  /** In each community. */
  readonly channels: number;
  /** The numbers of the users who are members of a community, by its own number; the first one owns it. */
  readonly membersOf: (community: number) => readonly number[];
}

const VIEW = readPermissions(PERMISSIONS, ['VIEW']);
const NONE = readPermissions(PERMISSIONS, []);
const idOf = (seconds: number, sequence: number) => formatId({ seconds, instanceId: 1, sequence });

/**
 * Writes communities into the data of an instance in a folder, to which `writeUsers` has written users. Each has two roles
 * besides that of everyone, and of each ten channels one is restricted.
 */
export async function writeCommunities(
  folder: string,
  { communities, channels, membersOf }: ManyCommunities,
): Promise<void> {
  await using database = await sqliteDatabase(join(folder, 'data', 'hearth.sqlite'));
  const nowMs = clock.unixMs();
  for (let number = 0; number < communities; number += 1) {
    const id = idOf(3, number);
    const members = membersOf(number).map((user) => idOf(1, user));
    const [owner = idOf(1, 0)] = members;
    const channelIds = Array.from({ length: channels }, (_, at) => idOf(4 + at, number));
    const roleIds = [idOf(1_000, number), idOf(1_001, number)];
    await database.transaction(async (tx) => {
      const slug = `garden-${number}`;
      await takeSlug(tx.sql, { slug, id, nowMs });
      await insertCommunity(tx.sql, {
        ...{ id, slug, name: `Garden ${number}`, description: '', icon: '', banner: '', rules: '' },
        ...{ kind: 'both', visibility: 'private', join: 'invite', languages: [], tags: [] },
        ...{ isSensitive: false, ownerId: owner, createdAtMs: nowMs },
      });
      await addRole(tx, {
        ...{ id, community_id: id, name: 'everyone', position: 0 },
        permissions: NEW_EVERYONE_PERMISSIONS,
      });
      for (const [at, roleId] of roleIds.entries()) {
        const role = { id: roleId, community_id: id, name: `Role ${at}`, position: at + 1 };
        await addRole(tx, { ...role, permissions: VIEW });
      }
      for (const userId of members) await addMember(tx, { communityId: id, userId, nowMs });
      for (const [position, channelId] of channelIds.entries()) {
        const channel = { id: channelId, communityId: id, kind: 'messages', position } as const;
        await addChannel(tx, { ...channel, name: `Channel ${position}` });
        const lastId = idOf(2_000 + position, number);
        await setLast(tx, channelId, { lastId, nowMs: 0 });
        if (position % 10 !== 9) continue;
        const overwrite = { id, kind: 'role', allow: NONE, deny: VIEW } as const;
        await upsertOverwrite(tx.sql, channelId, overwrite);
      }
    });
  }
}
