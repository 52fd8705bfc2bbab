import { readdir } from 'node:fs/promises';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { blobsContract } from './blobs.contract.ts';
import { diskBlobs } from './disk.ts';

const create = async () => {
  const folder = await tempFolder();
  const files = async () => {
    const entries = await readdir(folder.path, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  };
  return { ...folder, open: () => diskBlobs(folder.path), list: files };
};

blobsContract('disk', create);
