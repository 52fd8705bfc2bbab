import { cpus, release, totalmem, type } from 'node:os';
import { nginxProgram, nodeProgram, printed } from './subjects/programs.ts';

const BYTES_A_GIB = 1024 ** 3;

/** Returns what the figures depend on, as far as the machine reports it. */
export function surroundings(): Readonly<Record<string, string>> {
  const [cpu] = cpus();
  return {
    date: new Date().toISOString(),
    system: `${type()} ${release()}`,
    processor: `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}`,
    memory: `${(totalmem() / BYTES_A_GIB).toFixed(1)} GiB`,
    bun: Bun.version,
    node: versionOf(nodeProgram(), '--version'),
    nginx: versionOf(nginxProgram(), '-v'),
  };
}

function versionOf(program: string | undefined, flag: string): string {
  if (program === undefined) return 'not installed';
  return printed([program, flag]).replace('nginx version: nginx/', '');
}
