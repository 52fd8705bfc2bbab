import { jsonLogger } from '../../../server/src/log/logger.ts';
import type { Database } from '../../../server/src/ports/database/database.ts';
import { postgresDatabase } from '../../../server/src/engines/databases.ts';
import type { Migrations } from '../../../server/src/ports/database/table-data.ts';

/** Four times as long as usual, because a machine four times as slow has to pass the tests. */
const TIMEOUT_MS = 10_000;

const log = jsonLogger('silent', () => {});

/** Opens a database of PostgreSQL for a test that is not about how long transactions may take. */
export function patientPostgres(url: string, migrations?: Migrations): Promise<Database> {
  return postgresDatabase(url, {
    log,
    timeoutMs: TIMEOUT_MS,
    ...(migrations !== undefined && { migrations }),
  });
}
