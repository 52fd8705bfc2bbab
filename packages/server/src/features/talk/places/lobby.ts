import {
  EVERY_PERMISSION,
  hasPermission,
  LOBBY_STREAM,
  lobbySightOf,
  NotFoundError,
  PERMISSIONS,
  readPermissions,
  STAFF_PERMISSIONS,
  UnauthorizedError,
  type Id,
} from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { andThen } from '../../../lib/and-then.ts';
import { requireAccessCode } from '../../accounts/moderation/moderation.ts';
import type { Guard, OwnPlaces, Place, PlaceAccess, PlaceKind } from './place.ts';

/** The lobby as a place. Guarantee: ids of all others are numbers. */
export const LOBBY_ID = LOBBY_STREAM as Id;

/** Has no turns: its messages are dispatched before they are stored, in an order of their own. */
const PLACE: Place = {
  id: LOBBY_ID,
  stream: LOBBY_STREAM,
  communityId: '',
  kind: 'messages',
  slowModeSeconds: 0,
  version: 1,
  isDeleted: false,
};

/** An account that is there lets its person write. */
const ACCOUNT = `join users on users.id = given.guard_user_id and users.state = 'active'`;

/** Nobody marks how far they have read the lobby. */
const NOTHING_OWN: OwnPlaces = { communityIds: [], subjects: [], readerIn: () => undefined };

/** The lobby. */
export const LOBBY: PlaceKind = {
  notifies: false,
  mayHave: (id) => id === LOBBY_ID,
  find: findLobby,
  async now(_, __, all) {
    return new Map(all.map((turning) => [turning, { access: turning.access }]));
  },
  async still(_, __, turning) {
    turning.requires(turning.access);
  },
  readerOf: () => undefined,
  seeing: async (_, __, userIds) => new Set(userIds),
  own: async () => () => NOTHING_OWN,
  visible: async (_, things) => things.filter(({ channelId }) => channelId === LOBBY_ID),
  read: async (_, __, id) => (id === LOBBY_ID ? PLACE : undefined),
};

const OF_ALL = ['VIEW', 'SEND_MESSAGES'] as const;
const AS_GUEST = accessWith(readPermissions(PERMISSIONS, OF_ALL));
const AS_OWNER = accessWith(EVERY_PERMISSION);
const OF_PEOPLE = readPermissions(PERMISSIONS, [...OF_ALL, 'REACT']);
const OF_STAFF = readPermissions(PERMISSIONS, [...OF_ALL, 'REACT', 'MANAGE_CONTENT']);

/**
 * The lobby for somebody who may read it. Throws UnauthorizedError or NotFoundError if it is closed to them, and
 * ForbiddenError if the access code is needed.
 */
export function findLobby(ctx: Context, actor: Actor): PlaceAccess | Promise<PlaceAccess> {
  requireLobby(ctx, actor);
  return andThen(requireAccessCode(ctx, actor), () => lobbyOf(actor));
}

/** Throws UnauthorizedError or NotFoundError if the lobby is closed to somebody; the caller asks for the access code. */
export function requireLobby(
  { settings: { lobby } }: Pick<Context, 'settings'>,
  { kind }: Actor,
): void {
  if (kind === 'owner' || lobbySightOf(lobby, kind === 'account').reads) return;
  if (!lobbySightOf(lobby, true).reads) throw new NotFoundError();
  throw new UnauthorizedError('token_invalid');
}

/** The lobby for somebody to whom it is open. */
export function lobbyOf(actor: Actor): PlaceAccess {
  if (actor.kind === 'owner') return AS_OWNER;
  if (actor.kind === 'guest') return AS_GUEST;
  const { user_id: userId, staff_permissions: ofStaff } = actor;
  const isStaff = hasPermission(STAFF_PERMISSIONS, ofStaff, 'HANDLE_REPORTS');
  const guard = { join: ACCOUNT, placeId: LOBBY_ID, userId, version: 1 };
  return accessWith(isStaff ? OF_STAFF : OF_PEOPLE, guard);
}

function accessWith(permissions: PlaceAccess['permissions'], guard?: Guard): PlaceAccess {
  return { place: PLACE, of: LOBBY, permissions, timedOutUntilMs: 0, guard };
}
