import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testRun } from '../test-run.ts';

const BUILD = join(import.meta.dir, '../../../../scripts/build-web.ts');

let built: Promise<string> | undefined;

/** The folder of the web client: that of the run, or one that is built on first use and removed with its process. */
export async function builtWebFolder(): Promise<string> {
  return testRun.web ?? (await (built ??= build()));
}

async function build(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-web-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const child = Bun.spawn([process.execPath, BUILD, folder], { stderr: 'pipe' });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`the web client cannot be built: ${said}`);
  return folder;
}
