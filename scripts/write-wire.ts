import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describeWire } from '../packages/protocol/src/wire.ts';

const root = resolve(import.meta.dirname, '..');
const path = resolve(root, 'packages/protocol/wire.json');
await writeFile(path, `${JSON.stringify(describeWire(), null, 2)}\n`);
await Bun.$`node_modules/.bin/oxfmt ${path}`.cwd(root).quiet();
