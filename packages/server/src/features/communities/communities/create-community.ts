import {
  ConflictError,
  NEW_EVERYONE_PERMISSIONS,
  UnauthorizedError,
  userStream,
  type Id,
  type NewCommunity,
  type OwnCommunity,
} from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { addChannel } from '../channels/channels.ts';
import { addMember, findOwnCommunity } from '../members/members.ts';
import { requireEntry } from '../../accounts/moderation/moderation.ts';
import { addRole } from '../roles/roles.ts';
import { holdActiveUser } from '../../accounts/users/users.ts';
import { insertCommunity, takeSlug } from '../structure/structure.ts';

/** The name of the first channel of a community, by its kind. */
const FIRST_CHANNEL = { messages: 'general', posts: 'posts' } as const;

/**
 * Makes a community of which the caller is the owner and first member, with a first channel. Throws ConflictError for a
 * slug that is taken and for one community too many, ForbiddenError if they are banned from the instance, and
 * UnauthorizedError for an account that has been deleted meanwhile.
 */
export async function createCommunity(
  ctx: Context,
  actor: Account,
  input: NewCommunity,
): Promise<OwnCommunity> {
  await requireEntry(ctx, actor);
  const id = await ctx.ids.next();
  const channelId = await ctx.ids.next();
  return await ctx.database.transaction(async (tx) => {
    await addCommunity(tx, ctx, { id, channelId, actor, input });
    const community = await findOwnCommunity(tx.sql, ctx, { actor, id });
    const stream = userStream(actor.user_id);
    await tx.emit({ stream, event: { op: 'COMMUNITY_CREATE', d: community } }, { subject: stream });
    return community;
  });
}

interface Addition {
  readonly id: Id;
  readonly channelId: Id;
  readonly actor: Account;
  readonly input: NewCommunity;
}

async function addCommunity(
  tx: EmittingTransaction,
  { clock }: Pick<Context, 'clock'>,
  { id, channelId, actor, input }: Addition,
): Promise<void> {
  const nowMs = clock.unixMs();
  const { name, slug, description = '', kind, visibility } = input;
  const { join = visibility === 'private' ? 'invite' : 'open' } = input;
  if (!(await takeSlug(tx.sql, { slug, id, nowMs }))) {
    throw new ConflictError({ code: 'taken', field_name: 'slug' });
  }
  if ((await holdActiveUser(tx, actor.user_id)) === undefined) {
    throw new UnauthorizedError('token_ended');
  }
  await insertCommunity(tx.sql, {
    id,
    slug,
    name,
    description,
    icon: '',
    banner: '',
    rules: '',
    kind,
    visibility,
    join,
    languages: [],
    tags: [],
    isSensitive: false,
    ownerId: actor.user_id,
    createdAtMs: nowMs,
  });
  await addRole(tx, {
    id,
    community_id: id,
    name: 'everyone',
    position: 0,
    permissions: NEW_EVERYONE_PERMISSIONS,
  });
  await addMember(tx, { communityId: id, userId: actor.user_id, nowMs });
  const first = kind === 'posts' ? 'posts' : 'messages';
  await addChannel(tx, {
    id: channelId,
    communityId: id,
    kind: first,
    name: FIRST_CHANNEL[first],
    position: 0,
  });
  tx.changed('communities', id);
}
