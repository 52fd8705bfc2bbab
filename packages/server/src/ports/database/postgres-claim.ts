import type { Logger } from '../../log/logger.ts';
import { KeptConnection } from './kept-connection.ts';
import { postgresConfig } from './postgres-connection.ts';
import { LOCKS } from './postgres-locks.ts';

/** The way in which a process uses a database: as the only one, or together with others of its kind. */
export type DatabaseUse = 'alone' | 'together';

/** Options of a claim. */
export interface ClaimOptions {
  readonly log: Logger;
  /** The time in milliseconds to wait for a process that is ending. */
  readonly waitMs: number;
  readonly timeoutMs: number;
  /** The time in milliseconds that the server may take to notice that the connection with the claim is lost. */
  readonly patienceMs: number;
}

/** The time in milliseconds between two checks whether the others have ended. */
const POLL_MS = 100;

const CLAIMS = {
  alone: `select pg_try_advisory_lock(${LOCKS.use}) as "isHeld"`,
  together: `select pg_try_advisory_lock_shared(${LOCKS.use}) as "isHeld"`,
} as const;

class RefusedError extends Error {
  constructor() {
    super('another process uses the database');
  }
}

/** Claims a database until the claim is disposed. Returns undefined if others are still in the way after `waitMs`. */
export async function claimPostgres(
  url: string,
  use: DatabaseUse,
  options: ClaimOptions,
): Promise<AsyncDisposable | undefined> {
  const giveUpAtMs = performance.now() + options.waitMs;
  for (;;) {
    try {
      return await openClaim(url, use, options);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (performance.now() > giveUpAtMs) return undefined;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function openClaim(
  url: string,
  use: DatabaseUse,
  { log, timeoutMs, patienceMs }: ClaimOptions,
): Promise<KeptConnection> {
  let lostAtMs = 0;
  let isReported = false;
  return KeptConnection.open(postgresConfig(url, timeoutMs), {
    async setUp(query) {
      const [row] = await query(CLAIMS[use]);
      if (!isHeld(row)) throw new RefusedError();
    },
    onDown() {
      [lostAtMs, isReported] = [performance.now(), false];
    },
    onRefused(error) {
      const isPatient = performance.now() - lostAtMs < patienceMs;
      if (isReported || isPatient || !(error instanceof RefusedError)) return;
      isReported = true;
      log.error({}, 'another process claimed the database while the connection was lost');
    },
    onUp() {
      if (isReported) log.info({}, 'the database is claimed again');
    },
  });
}

function isHeld(row: unknown): boolean {
  return typeof row === 'object' && row !== null && 'isHeld' in row && row.isHeld === true;
}
