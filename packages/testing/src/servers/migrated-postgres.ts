import { jsonLogger } from '../../../server/src/log/logger.ts';
import { postgresDatabase } from '../../../server/src/engines/databases.ts';

const log = jsonLogger('silent', () => {});

/** Brings an empty database to the newest schema. Copies of it take a fifth of the time that the migrations take. */
export async function migratePostgres(url: string): Promise<string> {
  await (await postgresDatabase(url, { log }))[Symbol.asyncDispose]();
  return url;
}
