import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataFolder } from '../../../server/src/data-folder.ts';
import { writeMigratedSqlite } from '../servers/migrated-sqlite.ts';

/** Makes the folder of an instance whose database is made already, which is half of its first start. */
export async function newDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-'));
  const data = dataFolder(join(folder, 'data'));
  await mkdir(data.path, { mode: 0o700 });
  await writeMigratedSqlite(data.database);
  return folder;
}
