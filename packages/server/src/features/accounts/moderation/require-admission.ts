import { ForbiddenError, RateLimitedError } from '@hearth/protocol';
import type { Actor, Guest, Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { InForce, Pausable, Term } from '../../../restrictions.ts';
import { hasCode, isInvited } from './has-code.ts';

export type Admitted = Pausable | 'changing' | 'removing';

/** What is paused together with what. Slow mode is for posting alone. */
const PAUSED_WITH: Readonly<Record<Admitted, Pausable | undefined>> = {
  posting: 'posting',
  changing: 'posting',
  removing: undefined,
  uploads: 'uploads',
};

/**
 * Throws, or rejects, if `actor` may not do this now: ForbiddenError if it is banned, if it lacks the access code
 * or if the owner has paused this, RateLimitedError after too many wrong codes, and ServerError if nothing of this can
 * be known. It returns nothing at once if nothing is restricted.
 */
export function requireAdmission(ctx: Context, actor: Actor, what: Admitted): void | Promise<void> {
  const known = ctx.restrictions.current();
  if (known instanceof Promise) {
    return known.then((inForce) => check(ctx, actor, { inForce, what }));
  }
  return known.isNothing ? undefined : check(ctx, actor, { inForce: known, what });
}

/** Throws, or rejects, with the same errors if `actor` lacks the access code. */
export function requireAccessCode(ctx: Context, actor: Actor): void | Promise<void> {
  const known = ctx.restrictions.current();
  if (known instanceof Promise) {
    return known.then((inForce) => checkCode(ctx, actor, inForce));
  }
  return known.isNothing ? undefined : checkCode(ctx, actor, known);
}

/** Throws ForbiddenError if `actor` may no longer do what it was admitted to. No code and no post is counted again. */
export function requireStay(
  ctx: Context,
  actor: Actor,
  { inForce, what }: { readonly inForce: InForce; readonly what: Pausable },
): void {
  if (inForce.isNothing || !isClient(actor)) return;
  requireNoBan(ctx, actor, inForce);
  if (!isInvited(actor, inForce)) throw new ForbiddenError({ code: 'access_code' });
  requireNoPause(ctx, inForce.pauses[what]);
}

/** The first of these terms that has not ended. */
export function lasting(
  { clock }: Pick<Context, 'clock'>,
  terms: readonly (Term | undefined)[],
): Term | undefined {
  return terms.find((term) => term !== undefined && (term.until ?? Infinity) > clock.unixMs());
}

async function check(
  ctx: Context,
  actor: Actor,
  { inForce, what }: { readonly inForce: InForce; readonly what: Admitted },
): Promise<void> {
  if (!isClient(actor)) return;
  requireNoBan(ctx, actor, inForce);
  await checkCode(ctx, actor, inForce);
  const paused = PAUSED_WITH[what];
  if (paused !== undefined) requireNoPause(ctx, inForce.pauses[paused]);
  if (what === 'posting') await slowDown(ctx, actor, inForce);
}

/** Whether somebody acts through a client, which has an address and may send an access code. */
function isClient(actor: Actor): actor is Guest | Account {
  return actor.kind === 'guest' || actor.kind === 'account';
}

function requireNoBan(ctx: Context, { address }: Guest | Account, inForce: InForce): void {
  const ban = lasting(ctx, inForce.bansOf(address));
  if (ban !== undefined) throw new ForbiddenError({ code: 'banned', ...ban });
}

function requireNoPause(ctx: Context, term: Term | undefined): void {
  const pause = lasting(ctx, [term]);
  if (pause !== undefined) throw new ForbiddenError({ code: 'paused', ...pause });
}

async function checkCode(ctx: Context, actor: Actor, inForce: InForce): Promise<void> {
  if (!isClient(actor) || (await hasCode(ctx, actor, inForce))) return;
  throw new ForbiddenError({ code: 'access_code' });
}

async function slowDown(
  { limiter }: Context,
  { address }: Guest | Account,
  { slowModeSeconds }: InForce,
): Promise<void> {
  if (slowModeSeconds === 0) return;
  const waitMs = await limiter.pace(address, slowModeSeconds * 1000);
  if (waitMs > 0) throw new RateLimitedError(waitMs);
}
