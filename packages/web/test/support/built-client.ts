import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWeb } from '../../../../scripts/build-web.ts';

// Test files have modules of their own; one build serves all files of a run.
const KEY = Symbol.for('hearth.test.built-client');

/** The folder of the web client as it is built now, made once a run. */
export function builtClient(): Promise<string> {
  const known: unknown = Reflect.get(globalThis, KEY);
  if (known instanceof Promise) return known.then(String);
  const made = build();
  Reflect.set(globalThis, KEY, made);
  return made;
}

async function build(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await buildWeb(folder);
  return folder;
}
