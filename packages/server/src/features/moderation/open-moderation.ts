import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../log/logger.ts';
import type { Database } from '../../ports/database/database.ts';
import type { Limiter } from '../../ports/limiter/limiter.ts';
import type { Restrictions } from '../../restrictions.ts';
import { answerBanRequests } from './answer-ban-requests.ts';
import { KnownRestrictions } from './known-restrictions.ts';
import { LimitedGuesses } from './limited-guesses.ts';
import { MessageOrigins } from './message-origins.ts';

/** What moderation keeps open while an instance runs. */
export interface OpenModeration {
  readonly restrictions: Restrictions;
  readonly origins: MessageOrigins;
}

/** What moderation needs. What it opens is added to `resources`. */
export interface ModerationParts {
  readonly database: Database;
  readonly limiter: Limiter;
  readonly clock: Clock;
  readonly log: Logger;
  readonly resources: AsyncDisposableStack;
}

/** Begins to follow what the owner restricts. */
export async function openModeration(parts: ModerationParts): Promise<OpenModeration> {
  const { clock, resources } = parts;
  const guesses = new LimitedGuesses(parts);
  const restrictions = resources.use(await KnownRestrictions.open({ ...parts, guesses }));
  const origins = resources.use(new MessageOrigins(clock));
  resources.use(answerBanRequests({ ...parts, origins }));
  return { restrictions, origins };
}
