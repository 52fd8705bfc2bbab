import { UnauthorizedError, type Id } from '@hearth/protocol';
import type { Authentication, TokenHolder } from '../../authentication.ts';
import type { Clock } from '../../lib/clock.ts';
import { ChangeCache } from '../../ports/database/change-cache.ts';
import type { Database } from '../../ports/database/database.ts';
import { networkOf } from './address-hint.ts';
import { secretHash } from './session-token.ts';
import { selectSecrets, touchSession, type SessionSecrets } from './store.ts';
import type { Tokens } from './tokens.ts';

/** How many tokens are remembered. */
const MOST_REMEMBERED = 20_000;

/** How often the use of a session is noted, in milliseconds. */
const TOUCH_MS = 600_000;

/** How long a session lasts without being used, in milliseconds. */
export const UNUSED_MS = 90 * 86_400_000;

interface Remembered extends TokenHolder {
  /** When the token is no longer accepted, Unix milliseconds. */
  readonly untilMs: number;
  /** When the use is noted next, Unix milliseconds. */
  touchAtMs: number;
}

/** What checking tokens needs. */
export interface TokenCheckOptions {
  readonly database: Database;
  readonly tokens: Tokens;
  readonly clock: Clock;
}

/**
 * Decides whether a token is accepted. It answers at once for a token that it has seen, as long as this process hears of
 * sessions that end; otherwise it asks the database.
 */
export class TokenCheck implements Authentication {
  readonly #options: TokenCheckOptions;
  readonly #known: ChangeCache<string, Remembered>;

  constructor(options: TokenCheckOptions) {
    this.#options = options;
    this.#known = new ChangeCache(options.database, 'sessions', { max: MOST_REMEMBERED });
    // A key may have been replaced because strangers know it.
    options.database.onChange((changes) => {
      if (changes !== 'unknown' && changes.some(({ kind }) => kind === 'token_keys')) {
        this.#known.clear();
      }
    });
  }

  check(token: string, address: string): TokenHolder | Promise<TokenHolder> {
    const known = this.#known.get(token);
    const nowMs = this.#options.clock.unixMs();
    if (known === undefined || nowMs >= known.untilMs) return this.#ask(token, address);
    if (nowMs >= known.touchAtMs) {
      known.touchAtMs = nowMs + TOUCH_MS;
      void this.#touch(known.sessionId, address);
    }
    return known;
  }

  async #ask(token: string, address: string): Promise<TokenHolder> {
    const { database, tokens, clock } = this.#options;
    const remember = this.#known.reading();
    const claims = await tokens.read(token);
    if (claims === undefined) throw new UnauthorizedError('token_invalid');
    const secrets = await selectSecrets(database.reader, claims.sessionId);
    const nowMs = clock.unixMs();
    if (secrets === undefined || secrets.userId !== claims.userId) {
      throw new UnauthorizedError('token_invalid');
    }
    const untilMs = acceptedUntilMs(secrets, secretHash(claims.secret));
    if (untilMs === undefined) throw new UnauthorizedError('token_invalid');
    if (secrets.hasEnded || !secrets.isUserActive || nowMs >= untilMs) {
      throw new UnauthorizedError('token_ended');
    }
    const { userId, sessionId } = claims;
    const { staffPermissions } = secrets;
    const touchAtMs = secrets.lastUsedAtMs + TOUCH_MS;
    const end = Math.min(untilMs, claims.acceptedUntilMs);
    const found = {
      userId,
      sessionId,
      staffPermissions,
      untilMs: end,
      touchAtMs: Math.max(touchAtMs, nowMs),
    };
    if (nowMs >= touchAtMs) {
      found.touchAtMs = nowMs + TOUCH_MS;
      await this.#touch(sessionId, address);
    }
    remember([{ key: token, value: found, madeFrom: [sessionId] }]);
    return found;
  }

  async #touch(sessionId: Id, address: string): Promise<void> {
    const { database, clock } = this.#options;
    const [nowMs, addressHint] = [clock.unixMs(), networkOf(address)];
    try {
      await database.transaction(({ sql }) => touchSession(sql, sessionId, { nowMs, addressHint }));
    } catch {
      // It is noted with a later request.
    }
  }
}

/** Until when a token with this secret is accepted; undefined if it is not the session's. */
function acceptedUntilMs(
  { secretHash: hash, formerHash, formerUntilMs, lastUsedAtMs }: SessionSecrets,
  given: string,
): number | undefined {
  if (given === hash) return lastUsedAtMs + UNUSED_MS;
  return given === formerHash ? formerUntilMs : undefined;
}
