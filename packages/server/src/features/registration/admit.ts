import {
  ForbiddenError,
  ValidationError,
  type Id,
  type PermissionMask,
  type Registration,
  type StaffPermission,
} from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Reader, Transaction } from '../../ports/database/database.ts';
import { requireEntry } from '../moderation/require-entry.ts';
import { ALL_PERMISSIONS } from '../users/all-permissions.ts';
import { NO_PERMISSIONS } from '../users/no-permissions.ts';
import type { SolvedChallenge } from '../proofs/proof-of-work.ts';
import type { RegistrationContext } from './registration-context.ts';
import { requireNoBlock } from './require-no-block.ts';
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
  readonly invite: string | undefined;
  readonly solved: SolvedChallenge | undefined;
  readonly answer: string;
}

/** How many people may wait for approval. The staff can read no more, and strangers must not fill the disk. */
const MOST_WAITING = 1_000;

const UNUSABLE = 'is unknown, has expired or was used up';

/**
 * Decides whether somebody may register, before any work is done for them. Throws ForbiddenError, ValidationError for
 * `proof`, `email`, `invite` and `answer`, and the errors of {@link requireEntry}.
 */
export async function admit(
  ctx: Context & RegistrationContext,
  actor: Actor,
  { email, invite: code, answer = '', proof }: Registration,
): Promise<Admission> {
  await requireEntry(ctx, actor);
  const { database, clock, registration: mode, proofs } = ctx;
  const invite =
    code === undefined
      ? undefined
      : await selectUsableInvite(database.reader, code, clock.unixMs());
  const isOwner = invite?.purpose === 'owner';
  if (mode === 'closed' && !isOwner) throw new ForbiddenError({ code: 'registration_closed' });
  const solved = await proofs.require(proof);
  await requireNoBlock(ctx, actor, email);
  requireInvite(ctx, code, invite);
  const isPending = mode === 'approval' && invite === undefined;
  if (isPending) {
    requireAnswer(ctx, answer);
    await requireRoom(database.reader);
  }
  return {
    state: isPending ? 'pending' : 'active',
    staffPermissions: isOwner ? ALL_PERMISSIONS : NO_PERMISSIONS,
    invite: code,
    solved,
    answer,
  };
}

/**
 * Uses up what admitted the account, and keeps the answer of somebody who waits for approval. Throws ValidationError if
 * somebody else was faster, and ForbiddenError if too many wait.
 */
export async function settleAdmission(
  tx: Transaction,
  { proofs, clock }: Pick<Context, 'clock'> & RegistrationContext,
  { userId, admission }: { readonly userId: Id; readonly admission: Admission },
): Promise<void> {
  const { invite, solved, state, answer } = admission;
  if (invite !== undefined && !(await useInvite(tx.sql, invite, clock.unixMs()))) {
    throw new ValidationError('invite', UNUSABLE);
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
  { registration: mode }: RegistrationContext,
  code: string | undefined,
  invite: Invite | undefined,
): void {
  if (invite !== undefined) return;
  if (code !== undefined) throw new ValidationError('invite', UNUSABLE);
  if (mode === 'invite') throw new ValidationError('invite', 'is needed to register here');
}

function requireAnswer({ settings }: Pick<Context, 'settings'>, answer: string): void {
  if (settings.registrationQuestion === undefined || answer !== '') return;
  throw new ValidationError('answer', 'is needed: those who approve accounts read it');
}
