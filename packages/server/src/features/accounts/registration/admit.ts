import {
  drawsNothing,
  ForbiddenError,
  ValidationError,
  type Id,
  type PermissionMask,
  type Registration,
  type StaffPermission,
} from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Counting } from '../../../counting.ts';
import type { Reader, Transaction } from '../../../ports/database/database.ts';
import type { Writing } from '../../../ports/outbox/outbox.ts';
import { requireEntry } from '../moderation/moderation.ts';
import { ALL_PERMISSIONS, NO_PERMISSIONS } from '../users/users.ts';
import type { KeepsProofs, SolvedChallenge } from '../proofs/proofs.ts';
import type { HasJoiningInvites, JoiningInvite, UsedJoiningInvite } from './joining-invites.ts';
import { requireNoBlock } from './blocks.ts';
import {
  hasRequests,
  insertRequest,
  lockRegistration,
  selectUsableInvite,
  useInvite,
  type Invite,
} from './store.ts';

/** That somebody may register now, and what their account is then. */
export interface Admission {
  readonly state: 'active' | 'pending';
  readonly staffPermissions: PermissionMask<StaffPermission>;
  readonly invite: AdmittingInvite | undefined;
  readonly solved: SolvedChallenge | undefined;
  readonly answer: string;
}

/** An invite to register, or one to a community. */
type AdmittingInvite =
  | { readonly kind: 'instance'; readonly invite: Invite }
  | { readonly kind: 'community'; readonly invite: JoiningInvite };

/** The number of people who may wait for approval. The staff can read no more, and strangers must not fill the disk. */
const MOST_WAITING = 1_000;

const UNUSABLE = 'is unknown, has expired, was used up or cannot register anybody now';

/**
 * Decides whether somebody may register, before any work is done for them, and counts the request. Throws ForbiddenError,
 * ValidationError for `proof`, `email`, `invite` and `answer`, RateLimitedError, and the errors of {@link requireEntry}.
 */
export async function admit(
  ctx: Context & HasJoiningInvites & KeepsProofs,
  actor: Actor,
  { email, invite: code, answer = '', proof, counting }: Registration & Counted,
): Promise<Admission> {
  await requireEntry(ctx, actor);
  const { database, proofs } = ctx;
  const { registration: mode } = ctx.settings;
  const found = code === undefined ? undefined : await findInvite(ctx, code);
  if (found === undefined) await counting?.forAddress();
  else await counting?.forKey('account_invited', `code ${code}`);
  const isOwner = found?.kind === 'instance' && found.invite.purpose === 'owner';
  if (mode === 'closed' && !isOwner) throw new ForbiddenError({ code: 'registration_closed' });
  const solved = await proofs.require(proof);
  await requireNoBlock(database.reader, ctx, { actor, email });
  requireInvite(ctx, code, found);
  const isPending = mode === 'approval' && found?.kind !== 'instance';
  if (isPending) {
    requireAnswer(ctx, answer);
    await requireRoom(database.reader);
  }
  return {
    state: isPending ? 'pending' : 'active',
    staffPermissions: isOwner ? ALL_PERMISSIONS : NO_PERMISSIONS,
    invite: found,
    solved,
    answer,
  };
}

/**
 * The community whose invite admits an account, and the person who made the invite, whose registrations are counted. Undefined if
 * nothing that is busy is locked for the account.
 */
export function writingOf({ invite: found }: Admission, userId: Id): Writing | undefined {
  if (found?.kind !== 'community') return undefined;
  const { communityId, createdBy } = found.invite;
  return { subjects: [communityId, ...(createdBy === '' ? [] : [createdBy])], caller: userId };
}

/** A request whose verb decides for whom it counts. */
interface Counted {
  readonly counting?: Counting | undefined;
}

/** Codes of both kinds are random and equally long, so that no code is one of each. */
async function findInvite(
  ctx: Context & HasJoiningInvites,
  code: string,
): Promise<AdmittingInvite | undefined> {
  const { database, clock, joiningInvites } = ctx;
  const invite = await selectUsableInvite(database.reader, code, clock.unixMs());
  if (invite !== undefined) return { kind: 'instance', invite };
  const toCommunity = await joiningInvites.find(ctx, code);
  return toCommunity && { kind: 'community', invite: toCommunity };
}

/**
 * Uses the invite to a community that admitted an account, before the account is added. Returns it; undefined if another one
 * did, or none. Throws ValidationError if nobody can register with it any more.
 */
export async function settleCommunityInvite(
  tx: Transaction,
  { invite: found }: Admission,
): Promise<UsedJoiningInvite | undefined> {
  if (found?.kind !== 'community') return undefined;
  const invite = await found.invite.use(tx);
  if (invite === undefined) throw new ValidationError('invite', UNUSABLE);
  return invite;
}

/**
 * Uses up what else admitted the account, and keeps the answer of somebody who waits for approval. Throws ValidationError if
 * somebody else was faster, and ForbiddenError if too many wait.
 */
export async function settleAdmission(
  tx: Transaction,
  { proofs, clock }: Pick<Context, 'clock'> & KeepsProofs,
  { userId, admission }: { readonly userId: Id; readonly admission: Admission },
): Promise<void> {
  const { invite: found, solved, state, answer } = admission;
  if (found?.kind === 'instance') {
    const isUsed = await useInvite(tx.sql, found.invite.code, clock.unixMs());
    if (!isUsed) throw new ValidationError('invite', UNUSABLE);
  }
  if (solved !== undefined) await proofs.spend(tx, solved);
  if (state !== 'pending') return;
  await lockRegistration(tx.sql);
  await requireRoom(tx.sql);
  await insertRequest(tx.sql, userId, answer);
}

async function requireRoom(db: Reader): Promise<void> {
  if (await hasRequests(db, MOST_WAITING))
    throw new ForbiddenError({ code: 'registration_closed' });
}

function requireInvite(
  { settings }: Pick<Context, 'settings'>,
  code: string | undefined,
  invite: AdmittingInvite | undefined,
): void {
  if (invite !== undefined) return;
  if (code !== undefined) throw new ValidationError('invite', UNUSABLE);
  if (settings.registration === 'invite')
    throw new ValidationError('invite', 'is needed to register here');
}

function requireAnswer({ settings }: Pick<Context, 'settings'>, answer: string): void {
  if (settings.registrationQuestion === undefined || !drawsNothing(answer)) return;
  throw new ValidationError('answer', 'is needed: those who approve accounts read it');
}
