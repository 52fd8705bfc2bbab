/**
 * Uploads every file of a folder and prints its address: `bun examples/upload-folder.ts http://localhost:7159 pictures`.
 * It streams the files and waits for the instance's limits, so their number and size do not matter.
 */
import { openAsBlob } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, connect } from '@hearth/sdk';

const [instanceUrl, folder] = process.argv.slice(2);
if (instanceUrl === undefined || folder === undefined) {
  throw new Error('usage: upload-folder.ts <instance url> <folder>');
}

await using client = await connect(instanceUrl);
const entries = await readdir(folder, { withFileTypes: true, recursive: true });
for (const entry of entries.filter((each) => each.isFile())) {
  const path = join(entry.parentPath, entry.name);
  try {
    const { id, metadata } = await client.files.upload(await openAsBlob(path), {
      name: entry.name,
    });
    console.log(`${path}: ${client.files.url(id)} (${metadata.type})`);
  } catch (error) {
    // This file may be empty or too large; the others may still be accepted.
    if (!(error instanceof ApiError)) throw error;
    console.error(`${path}: ${error.message}`);
    process.exitCode = 1;
  }
}
