import { STORED_FORMAT } from './stored-format.ts';
import type { RedisConnection } from './redis-link.ts';

/** The key of the format that all keys of Hearth in a database of Redis have. Its name must never change. */
const FORMAT_KEY = 'hearth:format';

const SCANNED_AT_ONCE = '1000';

/** Returns the beginning of all keys of an instance. */
export function keyPrefix(instanceKey: string): string {
  return `hearth:${STORED_FORMAT}:{${instanceKey}}:`;
}

/**
 * Throws if there are keys of another format, of whatever instance. Otherwise notes the format, so that versions with another
 * one are refused. All keys are looked through only if nothing is noted.
 */
export async function claimFormat(connection: RedisConnection): Promise<void> {
  if (await isNoted(connection)) return;
  const found = await findOtherKey(connection);
  if (found !== undefined) throw earlier(found);
  // Another process may have noted one meanwhile.
  await connection.send('SET', [FORMAT_KEY, String(STORED_FORMAT), 'NX']);
  await isNoted(connection);
}

/** Resolves with whether this format is noted. Throws if it is another one. */
async function isNoted(connection: RedisConnection): Promise<boolean> {
  const noted = await connection.send('GET', [FORMAT_KEY]);
  if (noted === null) return false;
  const format = Number(noted);
  if (format > STORED_FORMAT) {
    throw new Error(
      `it has keys of a newer version of Hearth (format ${format}): start that version, or use an empty Redis database`,
    );
  }
  if (format < STORED_FORMAT) throw earlier(`format ${format}`);
  return true;
}

function earlier(found: string): Error {
  return new Error(
    `it has keys of an earlier development version of Hearth (${found}), maybe of another instance: start afresh with an empty Redis database, or keep the version that made them`,
  );
}

async function findOtherKey(connection: RedisConnection): Promise<string | undefined> {
  let cursor = '0';
  do {
    const options = ['MATCH', 'hearth:*', 'COUNT', SCANNED_AT_ONCE];
    // Guarantee: this is how Redis answers SCAN.
    const [next, keys] = (await connection.send('SCAN', [cursor, ...options])) as [
      string,
      string[],
    ];
    const other = keys.find(
      (key) => key !== FORMAT_KEY && !key.startsWith(`hearth:${STORED_FORMAT}:`),
    );
    if (other !== undefined) return other;
    cursor = next;
  } while (cursor !== '0');
  return undefined;
}
