import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { family, isRunning } from './process-figures.ts';

/** The time that a process may take to end after it is asked to. */
const END_MS = 10_000;
const KILL_MS = 1_000;

/** The processes and folders to remove when this process ends. They are global, because the end of the process is too. */
const children = new Set<Bun.Subprocess>();
const folders = new Set<string>();

/** A temporary folder, which disposal removes. */
export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'hearth-bench-'));
  folders.add(path);
  return { path, [Symbol.dispose]: () => removeFolder(path) };
}

/** Ends a process together with `resources`, and kills it when this process ends. */
export function endWith(resources: AsyncDisposableStack, child: Bun.Subprocess): void {
  children.add(child);
  resources.defer(() => end(child));
}

/** Kills all processes and removes all folders when this process ends, even if a signal ends it. */
export function leaveNothingBehind(): void {
  process.on('exit', () => {
    for (const child of children) killFamily(child);
    for (const { pid } of children) waitForEnd(pid);
    for (const path of folders) removeFolder(path);
  });
  process.on('SIGHUP', () => process.exit(129));
  process.on('SIGINT', () => process.exit(130));
  process.on('SIGTERM', () => process.exit(143));
}

async function end(child: Bun.Subprocess): Promise<void> {
  const giveUp = setTimeout(() => killFamily(child), END_MS);
  try {
    child.kill('SIGTERM');
    await child.exited;
  } finally {
    clearTimeout(giveUp);
    children.delete(child);
  }
}

// A worker of nginx keeps running without its master.
function killFamily(child: Bun.Subprocess): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  try {
    for (const pid of family(child.pid)) process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

// Until its end it may still write into its folder.
function waitForEnd(pid: number): void {
  const giveUpAt = performance.now() + KILL_MS;
  while (isRunning(pid) && performance.now() < giveUpAt) Bun.sleepSync(1);
}

function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
  folders.delete(path);
}
