import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  exampleEnvironmentFile,
  exampleInstanceFile,
} from '../packages/server/src/config/example-files.ts';

const root = resolve(import.meta.dirname, '..');
await writeFile(resolve(root, 'instance.example.toml'), exampleInstanceFile());
await writeFile(resolve(root, '.env.example'), exampleEnvironmentFile());
