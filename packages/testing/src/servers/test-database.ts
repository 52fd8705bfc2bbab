import type { Database } from '../../../server/src/ports/database/database.ts';
import { sqliteDatabase } from '../../../server/src/engines/databases.ts';
import { patientPostgres } from './patient-postgres.ts';

/** The address at which another process finds the database of a test. */
export type TestDatabaseAddress =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string };

/** Opens the database of a test in another process. */
export function openTestDatabase(address: TestDatabaseAddress): Promise<Database> {
  return address.engine === 'sqlite' ? sqliteDatabase(address.path) : patientPostgres(address.url);
}
