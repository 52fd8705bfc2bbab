import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** An example of the README of the client library. */
export interface Example {
  readonly file: string;
  readonly code: string;
  /** True if the tests run it. */
  readonly runs: boolean;
}

/** The README of the client library. */
export const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8');

/** Its examples, in their order. */
export const examples: readonly Example[] = [
  ...readme.matchAll(/^```ts( run)?\n(.*?)^```$/gms),
].map(([, runs, code = ''], index) => ({
  file: `example-${index + 1}.ts`,
  code,
  runs: runs !== undefined,
}));
