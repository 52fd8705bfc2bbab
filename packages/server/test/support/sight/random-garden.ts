import {
  channelSightOf,
  isRestricted,
  PERMISSIONS,
  readPermissions,
  sightOf,
  type CommunityRoles,
  type Id,
  type Overwrite,
  type OverwriteLevels,
  type Permission,
  type Sight,
  type SightedCommunity,
  type Viewer,
} from '@hearth/protocol';
import fc from 'fast-check';

/** The owner, people who have joined, and one who never has. */
export const PEOPLE = ['olga', 'ada', 'bob', 'cid', 'dan'] as const;
export type Person = (typeof PEOPLE)[number];
const STRANGER = 'dan';
export const JOINED = ['ada', 'bob', 'cid'] as const;
type Joined = (typeof JOINED)[number];

/** A person who looks: one of the people, or somebody without an account. */
export type Looker = Person | 'guest';
export const LOOKERS: readonly Looker[] = [...PEOPLE, 'guest'];

/** A category, two channels with messages, one of which is in it, and a channel with posts. */
export const CHANNELS = ['shed', 'inside', 'talk', 'board'] as const;
export type Channel = (typeof CHANNELS)[number];

/** The community itself, or one of its channels. */
export type Place = 'garden' | Channel;
export const PLACES: readonly Place[] = ['garden', ...CHANNELS];

/** The names of roles, of which the first is that of everyone. */
export const ROLES = ['everyone', 'one', 'two'] as const;
type Role = (typeof ROLES)[number];

const FATES = ['member', 'timed out', 'left', 'kicked', 'banned'] as const;

/** Somebody who has joined. */
export interface Life {
  readonly fate: (typeof FATES)[number];
  readonly roles: readonly Exclude<Role, 'everyone'>[];
}

/** The effect of a channel on VIEW for a role or a member. */
export interface GivenOverwrite {
  readonly subject: Role | Joined;
  readonly effect: 'allow' | 'deny' | 'none';
}

/** An overwrite as it is sent. */
export function sent({ effect }: GivenOverwrite): Record<'allow' | 'deny', Permission[]> {
  return {
    allow: effect === 'allow' ? ['VIEW'] : ['REACT'],
    deny: effect === 'deny' ? ['VIEW'] : [],
  };
}

/** A community after everything that happened in it. */
export interface Garden {
  readonly visibility: SightedCommunity['visibility'];
  readonly isDeleted: boolean;
  readonly isBoardInShed: boolean;
  readonly permissions: Readonly<Record<Role, readonly Permission[]>>;
  readonly overwrites: Readonly<Record<Channel, readonly GivenOverwrite[]>>;
  readonly lives: Readonly<Record<Joined, Life>>;
}

const some = fc.constantFrom<readonly Permission[]>([], ['VIEW'], ['VIEW'], ['REACT', 'VIEW']);
const strong = fc.oneof(
  { weight: 5, arbitrary: some },
  { weight: 1, arbitrary: fc.constant<readonly Permission[]>(['ADMINISTRATOR']) },
  { weight: 1, arbitrary: fc.constant<readonly Permission[]>(['MANAGE_CHANNELS', 'BAN']) },
);
const overwrites = fc.uniqueArray(
  fc.record<GivenOverwrite>({
    subject: fc.constantFrom<GivenOverwrite['subject']>(...ROLES, 'everyone', 'ada', 'bob'),
    effect: fc.constantFrom('allow', 'deny', 'none'),
  }),
  { maxLength: 3, selector: ({ subject }) => subject },
);
const anyLife = fc.record<Life>({
  fate: fc.constantFrom<Life['fate']>('member', 'member', ...FATES),
  roles: fc.subarray<'one' | 'two'>(['one', 'two']),
});

export const GARDEN: fc.Arbitrary<Garden> = fc.record({
  visibility: fc.constantFrom('public', 'unlisted', 'private'),
  isDeleted: fc.oneof(
    { weight: 4, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  isBoardInShed: fc.boolean(),
  permissions: fc.record({ everyone: some, one: strong, two: strong }),
  overwrites: fc.record({
    shed: overwrites,
    inside: overwrites,
    talk: overwrites,
    board: overwrites,
  }),
  lives: fc.record({ ada: anyLife, bob: anyLife, cid: anyLife }),
});

/** Returns whether an overwrite is for a role or for a member. */
export function kindOf({ subject }: GivenOverwrite): Overwrite['kind'] {
  return ROLES.some((role) => role === subject) ? 'role' : 'member';
}

/** The ids of everything in a garden. */
export type Ids = Readonly<Record<Place | Role | Person, Id>>;

/** Returns how somebody lives there in the end; undefined for somebody who is no member. */
export function lifeOf({ lives }: Garden, looker: Looker): Life | undefined {
  if (looker === 'olga') return { fate: 'member', roles: [] };
  if (looker === STRANGER || looker === 'guest') return undefined;
  const life = lives[looker];
  return life.fate === 'member' || life.fate === 'timed out' ? life : undefined;
}

/** Returns what somebody may know of a place, as the protocol decides it. */
export function expectedSight(
  garden: Garden,
  ids: Ids,
  at: { looker: Looker; place: Place },
): Sight {
  const { looker, place } = at;
  const community = communityOf(garden, ids);
  const viewer = viewerOf(garden, ids, looker);
  return place === 'garden'
    ? sightOf(community, viewer.kind === 'member' ? viewer.id : undefined)
    : channelSightOf(viewer, community, levelsOf(garden, ids, place));
}

/** Returns whether a place has a stream of its own, as the protocol decides it. */
export function isExpectedRestricted(garden: Garden, ids: Ids, place: Place): boolean {
  if (place === 'garden') return false;
  return isRestricted(communityOf(garden, ids), levelsOf(garden, ids, place));
}

function communityOf(
  { visibility, isDeleted, permissions }: Garden,
  ids: Ids,
): SightedCommunity & CommunityRoles {
  const roles = new Map(
    ROLES.map((role) => [ids[role], readPermissions(PERMISSIONS, permissions[role])]),
  );
  return { id: ids.garden, owner_id: ids.olga, visibility, is_deleted: isDeleted, roles };
}

function viewerOf(garden: Garden, ids: Ids, looker: Looker): Viewer {
  if (looker === 'guest') return { kind: 'visitor' };
  const life = lifeOf(garden, looker);
  if (life === undefined) return { kind: 'account', may_discuss: false };
  return {
    kind: 'member',
    id: ids[looker],
    role_ids: life.roles.map((role) => ids[role]),
    is_timed_out: life.fate === 'timed out',
  };
}

function levelsOf(garden: Garden, ids: Ids, channel: Channel): OverwriteLevels {
  const isInShed = channel === 'inside' || (channel === 'board' && garden.isBoardInShed);
  const levels = isInShed ? (['shed', channel] as const) : ([channel] as const);
  return levels.map((level) =>
    garden.overwrites[level].map((given): Overwrite => {
      const { allow, deny } = sent(given);
      return {
        id: ids[given.subject],
        kind: kindOf(given),
        allow: readPermissions(PERMISSIONS, allow),
        deny: readPermissions(PERMISSIONS, deny),
      };
    }),
  );
}
