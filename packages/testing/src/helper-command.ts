import { relative } from 'node:path';
import { testRun } from './test-run.ts';

/** The scripts that a run bundles, because they load much: `run-helper.ts` runs them. */
const BUNDLED = [
  'instances/folder-instance.ts',
  'instances/history-instance.ts',
  'instances/instance-process.ts',
  'instances/posting-process.ts',
  'instances/remove-uploads.ts',
  'instances/writing-process.ts',
  'ports/count-in-transactions.ts',
  'ports/emitting-process.ts',
] as const;

/** The path of a bundled script in this folder. */
export type BundledScript = (typeof BUNDLED)[number];

/** The command line of the script at this path, without its arguments: from the bundle of the run, or from the sources. */
export function helperCommand(script: string): readonly string[] {
  const { helpers } = testRun;
  const name = bundledScript(relative(import.meta.dirname, script));
  const isBundled = helpers !== undefined && name !== undefined;
  return [process.execPath, ...(isBundled ? [helpers, name] : [script])];
}

/** Undefined if there is no bundled script of this name. */
export function bundledScript(name: string | undefined): BundledScript | undefined {
  return BUNDLED.find((each) => each === name);
}
