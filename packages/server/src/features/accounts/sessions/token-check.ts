import { UnauthorizedError, type Id } from '@hearth/protocol';
import type { Authentication, TokenHolder } from '../../../authentication.ts';
import type { Clock } from '../../../lib/clock.ts';
import { ChangeCache } from '../../../ports/database/change-cache.ts';
import { Batches } from '../../../lib/batches.ts';
import { ageOf } from '../../../lib/stored-moment.ts';
import type { Database } from '../../../ports/database/database.ts';
import { networkOf } from './address-hint.ts';
import { inForce, type FactorSettings } from '../users/users.ts';
import { secretHash } from './token-claims.ts';
import { selectSecrets, touchSessions, type SessionSecrets } from './store.ts';
import type { Tokens } from './tokens.ts';

const MOST_REMEMBERED = 20_000;

/** The number of sessions that are looked up, or noted as used, at once. */
const MOST_AT_ONCE = 200;

/** The time in milliseconds after which the use of a session is noted again. */
const TOUCH_MS = 600_000;

/** The time in milliseconds that a session lasts without being used. */
export const UNUSED_MS = 90 * 86_400_000;

interface Remembered extends TokenHolder {
  /** When the token is no longer accepted, Unix milliseconds. */
  readonly untilMs: number;
  /** When the use was noted last, Unix milliseconds. */
  touchedAtMs: number;
}

/** That a session was used, and from where. */
interface Use {
  readonly sessionId: Id;
  readonly addressHint: string;
}

export interface TokenCheckOptions {
  readonly database: Database;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly settings: FactorSettings;
}

/**
 * Decides whether a token is accepted. It answers at once for a token that it has seen, as long as this process hears of
 * sessions that end; otherwise it asks the database.
 */
export class TokenCheck implements Authentication {
  readonly #options: TokenCheckOptions;
  readonly #known: ChangeCache<string, Remembered>;
  /** Very many clients may come at once, for example if another process has stopped. */
  readonly #lookUps: Batches<Id, SessionSecrets | undefined>;
  readonly #uses: Batches<Use, undefined>;

  constructor(options: TokenCheckOptions) {
    this.#options = options;
    this.#known = new ChangeCache(options.database, 'sessions', { max: MOST_REMEMBERED });
    this.#lookUps = new Batches({
      most: MOST_AT_ONCE,
      async run(ids) {
        const rows = await selectSecrets(options.database.reader, ids);
        const found = new Map(rows.map((row) => [row.id, row]));
        return ids.map((id) => found.get(id));
      },
    });
    this.#uses = new Batches({ most: MOST_AT_ONCE, run: (uses) => this.#note(uses) });
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
    if (ageOf(known.touchedAtMs, nowMs) >= TOUCH_MS) {
      known.touchedAtMs = nowMs;
      void this.#touch(known.credential.id, address);
    }
    return known;
  }

  async #ask(token: string, address: string): Promise<TokenHolder> {
    const { tokens, clock, settings } = this.#options;
    const remember = this.#known.reading();
    const claims = await tokens.read(token);
    if (claims === undefined) throw new UnauthorizedError('token_invalid');
    const secrets = await this.#lookUps.add(claims.sessionId);
    const nowMs = clock.unixMs();
    if (secrets === undefined || secrets.user_id !== claims.userId) {
      throw new UnauthorizedError('token_invalid');
    }
    const hash = secretHash(claims.secret);
    const untilMs = acceptedUntilMs(secrets, hash);
    if (untilMs === undefined) throw new UnauthorizedError('token_invalid');
    const hasEnded = secrets.ended_at_ms > 0 || secrets.state !== 'active';
    if (hasEnded || nowMs >= untilMs) {
      throw new UnauthorizedError('token_ended');
    }
    const { userId, sessionId } = claims;
    const staffPermissions = inForce(secrets, settings);
    const isDue = ageOf(secrets.last_used_at_ms, nowMs) >= TOUCH_MS;
    const end = Math.min(untilMs, claims.acceptedUntilMs);
    const found = {
      userId,
      isBot: false,
      credential: { kind: 'session', id: sessionId, token_hash: hash } as const,
      staffPermissions,
      countedAs: `user ${userId}`,
      untilMs: end,
      touchedAtMs: isDue ? nowMs : secrets.last_used_at_ms,
    };
    if (isDue) await this.#touch(sessionId, address);
    remember([{ key: token, value: found, madeFrom: [sessionId] }]);
    return found;
  }

  async #touch(sessionId: Id, address: string): Promise<void> {
    try {
      await this.#uses.add({ sessionId, addressHint: networkOf(address) });
    } catch {
      // It is noted with a later request.
    }
  }

  async #note(uses: readonly Use[]): Promise<readonly undefined[]> {
    const { database, clock } = this.#options;
    const latest = new Map(uses.map(({ sessionId, addressHint }) => [sessionId, addressHint]));
    await database.transaction(({ sql }) => touchSessions(sql, latest, clock.unixMs()));
    return uses.map(() => undefined);
  }
}

/** Until when a token with this secret is accepted; undefined if it is not the session's. */
function acceptedUntilMs(secrets: SessionSecrets, given: string): number | undefined {
  if (given === secrets.secret_hash) return secrets.last_used_at_ms + UNUSED_MS;
  return given === secrets.former_hash ? secrets.former_until_ms : undefined;
}
