import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { makeReference } from '../packages/server/test/support/reference/reference.ts';

const root = resolve(import.meta.dirname, '..');
await mkdir(resolve(root, 'docs/api'), { recursive: true });
for (const [path, text] of await makeReference()) await writeFile(resolve(root, path), text);
