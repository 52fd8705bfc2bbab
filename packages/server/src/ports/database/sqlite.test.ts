import { join } from 'node:path';
import { tempFolder } from '@hearth/testing/temp-folder';
import type { Logger } from '../../log/logger.ts';
import { databaseContract } from './database.contract.ts';
import { sqliteDatabase } from './sqlite.ts';

const create = async () => {
  const folder = await tempFolder();
  return { ...folder, address: join(folder.path, 'hearth.sqlite') };
};

const open = (address: string, log?: Logger) => sqliteDatabase(address, { log });

databaseContract('sqlite', { hearsOfOthers: 'at once', create, open });
