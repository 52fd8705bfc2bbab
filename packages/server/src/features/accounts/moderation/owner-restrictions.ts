import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import type { Pausable, Term } from '../../../restrictions.ts';
import { newTypedCode } from '../../../lib/typed-code.ts';
import type { Writer } from '../../../ports/database/database.ts';
import {
  selectRestrictions,
  upsertRestriction,
  deleteRestriction,
  type StoredRestrictions,
} from './store.ts';

const CODE_PARTS = 3;

/** Lists what the owner restricts for everyone; pauses that have ended are left out. Throws ForbiddenError. */
export async function listRestrictions(
  { database, clock }: Context,
  actor: Actor,
): Promise<StoredRestrictions> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  const { pauses, ...others } = await selectRestrictions(database.reader);
  const nowMs = clock.unixMs();
  const running = Object.entries(pauses).filter(([, { until = Infinity }]) => until > nowMs);
  return { ...others, pauses: Object.fromEntries(running) };
}

/** Pauses posting, uploads or both. A pause that runs is replaced. Throws ForbiddenError. */
export async function pause(
  ctx: Context,
  actor: Actor,
  { what, term }: { readonly what: readonly Pausable[]; readonly term: Term },
): Promise<void> {
  await change(ctx, actor, async (db) => {
    for (const each of what) await upsertRestriction(db, each, term);
  });
}

/** Ends the pauses of posting, uploads or both. Throws ForbiddenError. */
export async function resume(ctx: Context, actor: Actor, what: readonly Pausable[]): Promise<void> {
  await change(ctx, actor, async (db) => {
    for (const each of what) await deleteRestriction(db, each);
  });
}

/** Lets every client post once in this many seconds; 0 ends slow mode. Throws ForbiddenError. */
export async function setSlowMode(ctx: Context, actor: Actor, seconds: number): Promise<void> {
  await change(ctx, actor, (db) =>
    seconds === 0
      ? deleteRestriction(db, 'slow_mode')
      : upsertRestriction(db, 'slow_mode', seconds),
  );
}

/** Sets the access code, or removes it if it is undefined. Throws ForbiddenError. */
export async function setAccessCode(
  ctx: Context,
  actor: Actor,
  code: string | undefined,
): Promise<void> {
  await change(ctx, actor, (db) =>
    code === undefined
      ? deleteRestriction(db, 'access_code')
      : upsertRestriction(db, 'access_code', code),
  );
}

async function change(
  { database }: Context,
  actor: Actor,
  work: (db: Writer) => Promise<void>,
): Promise<void> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  await database.transaction(async (tx) => {
    await work(tx.sql);
    tx.changed('moderation', 'restrictions');
  });
}

/** The access code; undefined if none is needed. Throws ForbiddenError. */
export async function showAccessCode(
  { database }: Context,
  actor: Actor,
): Promise<string | undefined> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  return (await selectRestrictions(database.reader)).accessCode;
}

/** A code that nobody can guess and that can be read out: `k7mw-p3xd-9qht`. */
export function newAccessCode(): string {
  return newTypedCode(CODE_PARTS);
}
