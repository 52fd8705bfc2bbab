import { ForbiddenError, RateLimitedError } from '@hearth/protocol';
import type { Actor, Guest, Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { InForce, Pausable, Term } from '../../../restrictions.ts';

export type Admitted = Pausable | 'changing' | 'removing';

/** The activity with which each is paused. Slow mode is for posting alone. */
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

/** Returns whether somebody acts through a client, which has an address and may send an access code. */
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

/**
 * Throws ForbiddenError if nobody may begin anything from the actor's address: if it is banned, or if it lacks the access
 * code. Throws RateLimitedError after too many wrong codes, and ServerError if nothing of this can be known.
 */
export async function requireEntry(ctx: Context, actor: Actor): Promise<void> {
  const inForce = await ctx.restrictions.current();
  const ban = 'address' in actor ? lasting(ctx, inForce.bansOf(actor.address)) : undefined;
  if (ban !== undefined) throw new ForbiddenError({ code: 'banned', ...ban });
  await requireAccessCode(ctx, actor);
}

/**
 * The chunks of an upload that has been admitted, as long as the owner allows it. Throws ForbiddenError as soon as that
 * ends, and ServerError if it cannot be known at the end of the upload.
 */
export async function* whileAdmitted(
  ctx: Context,
  actor: Actor,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const { restrictions } = ctx;
  for await (const chunk of body) {
    requireStay(ctx, actor, { inForce: restrictions.latest, what: 'uploads' });
    yield chunk;
  }
  requireStay(ctx, actor, { inForce: await restrictions.current(), what: 'uploads' });
}

/**
 * Resolves with whether a client may enter: no code is needed, or it has the right one. Throws RateLimitedError after
 * too many wrong ones.
 */
export async function hasCode(
  { restrictions: { guesses } }: Context,
  { address, accessCode: given }: Guest | Account,
  { accessCode }: InForce,
): Promise<boolean> {
  if (accessCode === undefined) return true;
  if (given === undefined) return false;
  return guesses.isRight(address, () => accessCode.isSame(given));
}

/**
 * Returns whether a guest that was admitted before may enter. Nothing is counted, as a code that was right may have
 * changed.
 */
export function isInvited(
  { accessCode: given }: Guest | Account,
  { accessCode }: InForce,
): boolean {
  return accessCode === undefined || accessCode.isSame(given ?? '');
}
