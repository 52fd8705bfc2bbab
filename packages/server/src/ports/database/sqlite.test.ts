import { join } from 'node:path';
import { writeMigratedSqlite } from '@hearth/testing/servers/migrated-sqlite';
import { tempFolder } from '@hearth/testing/temp-folder';
import type { Logger } from '../../log/logger.ts';
import { databaseContract } from './database.contract.ts';
import { sqliteDatabase } from '../../engines/databases.ts';

const createEmpty = async () => {
  const folder = await tempFolder();
  return { ...folder, address: join(folder.path, 'hearth.sqlite') };
};

const create = async () => {
  const created = await createEmpty();
  await writeMigratedSqlite(created.address);
  return created;
};

const open = (address: string, log?: Logger) => sqliteDatabase(address, { log });

databaseContract('sqlite', { hearsOfOthers: 'at once', createEmpty, create, open });
