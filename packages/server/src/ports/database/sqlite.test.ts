import { join } from 'node:path';
import { tempFolder } from '@hearth/testing/temp-folder';
import { databaseContract } from './database.contract.ts';
import { sqliteDatabase } from './sqlite.ts';

const create = async () => {
  const folder = await tempFolder();
  return { ...folder, address: join(folder.path, 'hearth.sqlite') };
};

databaseContract('sqlite', { hearsOfOthers: 'at once', create, open: sqliteDatabase });
