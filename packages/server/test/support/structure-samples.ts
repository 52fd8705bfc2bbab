import { NO_PERMISSION, type Id } from '@hearth/protocol';
import { PASSWORD } from '@hearth/testing/instances/test-accounts';
import type { Account } from '../../src/actor.ts';
import { createChannel } from '../../src/features/communities/channels/create-channel.ts';
import { insertTurn } from '../../src/features/platform/turns/turns.ts';
import { countMember } from '../../src/features/communities/structure/lock-community.ts';
import { createCommunity } from '../../src/features/communities/communities/create-community.ts';
import { addMember } from '../../src/features/communities/members/add-member.ts';
import { createRole } from '../../src/features/communities/roles/create-role.ts';
import type { OwnerContext } from '../../src/instance.ts';
import type { Sample } from './samples.ts';

/** Communities of one person, in whose structure requests change something. */
export interface StructurePlaces {
  /** A public one with a role and two channels. */
  readonly garden: { readonly id: Id; readonly roleId: Id; readonly channels: readonly Id[] };
  /** A public one with a single channel. */
  readonly plain: { readonly id: Id; readonly channelId: Id };
  /** One that has as many roles, channels and overwrites as it may. The overwrites are those of its first channel. */
  readonly full: { readonly id: Id; readonly channelId: Id };
  /** A public one that is there to be deleted. */
  readonly spare: { readonly id: Id };
  /** One that can be handed over to a member. */
  readonly handed: { readonly id: Id; readonly memberId: Id };
}

const NEW_ROLE = {
  name: 'gardener',
  hoisted: false,
  mentionable: false,
  self_assignable: false,
  permissions: [],
};

/** The numbers of each that a community may have. */
const [ROLES, CHANNELS, OVERWRITES] = [100, 200, 50];

/** Makes communities of a person. */
export async function structurePlaces(
  ctx: OwnerContext,
  { owner, member }: { readonly owner: Account; readonly member: Id },
): Promise<StructurePlaces> {
  const make = async (slug: string, visibility: 'public' | 'private') => {
    const input = { name: 'Garden', slug, kind: 'both', visibility } as const;
    const { id, channels } = await createCommunity(ctx, owner, input);
    const [channel] = channels;
    if (channel === undefined) throw new Error('there is no first channel');
    return { id, channelId: channel.id };
  };
  const { id, channelId } = await make('structure', 'public');
  const role = await createRole(ctx, owner, { community_id: id, ...NEW_ROLE });
  const talk = { community_id: id, kind: 'messages', name: 'talk' } as const;
  const other = await createChannel(ctx, owner, talk);
  const full = await make('full', 'private');
  await fill(ctx, full);
  const handed = await make('handed', 'public');
  await ctx.database.transaction(async (tx) => {
    await addMember(tx, { communityId: handed.id, userId: member, nowMs: 1 });
    await countMember(tx, handed.id, 1);
  });
  const garden = { id, roleId: role.id, channels: [channelId, other.id] };
  const [plain, spare] = [await make('plain', 'public'), await make('spare', 'public')];
  return { garden, plain, full, spare, handed: { id: handed.id, memberId: member } };
}

async function fill(ctx: OwnerContext, { id, channelId }: StructurePlaces['full']): Promise<void> {
  const ids: Id[] = [];
  while (ids.length < CHANNELS) ids.push(await ctx.ids.next());
  await ctx.database.transaction(async (tx) => {
    const { sql } = tx;
    const [role, channel] = [
      await sql.selectFrom('roles').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
      await sql
        .selectFrom('channels')
        .selectAll()
        .where('id', '=', channelId)
        .executeTakeFirstOrThrow(),
    ];
    const placed = ids.map((own, index) => ({ id: own, position: index + 1 }));
    const roles = placed.slice(0, ROLES).map((own) => ({ ...role, ...own }));
    await sql.insertInto('roles').values(roles).execute();
    const channels = placed.slice(1).map((own) => ({ ...channel, ...own }));
    await sql.insertInto('channels').values(channels).execute();
    for (const { id: own } of channels) await insertTurn(sql, own);
    const none = NO_PERMISSION;
    const overwrites = ids.slice(0, OVERWRITES).map((subject_id) => {
      return { channel_id: channelId, kind: 'role' as const, subject_id, allow: none, deny: none };
    });
    await sql.insertInto('channel_overwrites').values(overwrites).execute();
    tx.changed('communities', id);
  });
}

/** Requests for communities, roles, channels and the audit log, by the owner of the places and by somebody else. */
export function structureSamples({
  garden,
  plain,
  full,
  spare,
  handed,
}: StructurePlaces): Readonly<Record<string, readonly Sample[]>> {
  const [channelId = '', spareId = ''] = garden.channels;
  const role = { community_id: garden.id, role_id: garden.roleId };
  const inPlain = { community_id: plain.id };
  const overwrite = { id: channelId, subject_id: garden.id };
  const inFull = { community_id: full.id, id: full.channelId, subject_id: full.id };
  const nowhere = { community_id: '1', role_id: '1', id: '1', subject_id: '1' };
  const [newRole, newChannel] = ['{"name":"x"}', '{"kind":"messages","name":"x"}'];
  const proof = { current_password: PASSWORD };
  const denied = '{"kind":"role","allow":[],"deny":["REACT"]}';
  /** By the owner, by somebody else, nowhere, and in a way that is not understood. */
  const changes = (
    path: NonNullable<Sample['path']>,
    body?: string,
    wrong = '{"name":""}',
  ): Sample[] => [
    ...[
      { by: 'ada', path } as const,
      { by: 'gil', path } as const,
      { by: 'ada', path: nowhere } as const,
    ].map((each) => ({ ...each, ...(body !== undefined && { body }) })),
    ...(body === undefined ? [] : [{ by: 'ada', path, body: wrong } as const]),
  ];
  const reads = (path: NonNullable<Sample['path']>): Sample[] => [{ path }, { path: nowhere }];
  return {
    createCommunity: [
      { by: 'ada', body: '{"name":"Garden","slug":"garden-2"}' },
      { by: 'ada', body: '{"name":"Garden","slug":"plain"}' },
      { by: 'ada', body: '{"name":"Garden"}' },
    ],
    findCommunityBySlug: [{ path: { slug: 'plain' } }, { path: { slug: 'nowhere' } }],
    findCommunity: [{ path: { id: plain.id } }, { path: { id: '1' } }],
    listCommunities: [{}, { query: '?cursor=x' }],
    changeCommunity: [
      ...changes({ id: plain.id }, '{"description":"Roses"}'),
      { by: 'ada', path: { id: plain.id }, body: '{"slug":"full"}' },
    ],
    deleteCommunity: changes({ id: spare.id }, JSON.stringify({ ...proof, slug: 'spare' }), '{}'),
    // The second one when it is restored already.
    restoreCommunity: [
      { by: 'ada', path: { id: spare.id } },
      { by: 'ada', path: { id: spare.id } },
      { by: 'gil', path: { id: spare.id } },
      { by: 'ada', path: nowhere },
    ],
    changeOwner: [
      ...changes({ id: handed.id }, JSON.stringify({ ...proof, user_id: handed.memberId }), '{}'),
    ],
    listRoles: reads(role),
    findRole: reads(role),
    createRole: [...changes(role, newRole), { by: 'ada', path: inFull, body: newRole }],
    orderRoles: changes(inPlain, '{"ids":[]}'),
    changeRole: changes(role, '{"permissions":["VIEW"]}'),
    deleteRole: changes(role),
    listChannels: reads(role),
    findChannel: reads(overwrite),
    createChannel: [...changes(role, newChannel), { by: 'ada', path: inFull, body: newChannel }],
    orderChannels: changes(inPlain, JSON.stringify({ order: [{ id: plain.channelId }] })),
    changeChannel: changes(overwrite, '{"topic":"Spring"}'),
    deleteChannel: changes({ id: spareId }),
    setOverwrite: [...changes(overwrite, denied), { by: 'ada', path: inFull, body: denied }],
    removeOverwrite: changes(overwrite),
    listAuditLog: [
      { by: 'ada', path: role, query: '?action=overwrite_set' },
      ...changes(role),
      { by: 'ada', path: role, query: '?action=x' },
    ],
  };
}
