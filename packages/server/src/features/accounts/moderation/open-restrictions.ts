import type { Context } from '../../../context.ts';
import type { Restrictions } from '../../../restrictions.ts';
import { answerBanRequests } from './answer-ban-requests.ts';
import { KnownRestrictions } from './known-restrictions.ts';
import { LimitedGuesses } from './limited-guesses.ts';
import type { KeepsOrigins } from './message-origins.ts';

/** The parts that moderation needs. Those that it opens are added to `resources`. */
export interface RestrictionsParts
  extends Pick<Context, 'database' | 'limiter' | 'clock' | 'log'>, KeepsOrigins {
  readonly resources: AsyncDisposableStack;
}

/** Begins to follow what the owner restricts. */
export async function openRestrictions(parts: RestrictionsParts): Promise<Restrictions> {
  const { resources } = parts;
  const guesses = new LimitedGuesses(parts);
  const restrictions = resources.use(await KnownRestrictions.open({ ...parts, guesses }));
  resources.use(answerBanRequests(parts));
  return restrictions;
}
