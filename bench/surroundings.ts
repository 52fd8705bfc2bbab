import { cpus, release, totalmem, type } from 'node:os';

const BYTES_A_GIB = 1024 ** 3;

/** What the figures depend on, as far as the machine tells. */
export function surroundings(): Readonly<Record<string, string>> {
  const [cpu] = cpus();
  return {
    date: new Date().toISOString(),
    system: `${type()} ${release()}`,
    processor: `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}`,
    memory: `${(totalmem() / BYTES_A_GIB).toFixed(1)} GiB`,
    bun: Bun.version,
    node: versionOf('node', '--version'),
    nginx: versionOf('nginx', '-v'),
  };
}

function versionOf(program: string, flag: string): string {
  const path = Bun.which(program, { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` });
  if (path === null) return 'not installed';
  const { stdout, stderr } = Bun.spawnSync([path, flag]);
  return `${stdout.toString()}${stderr.toString()}`.trim().replace('nginx version: nginx/', '');
}
