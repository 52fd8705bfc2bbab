import { delimiter } from 'node:path';

/** Debian's nginx is in a folder that only an administrator's PATH has. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];

/** The path of Node, or undefined if it is not installed. The `node` in the PATH of `bun run` is Bun. */
export function nodeProgram(): string | undefined {
  return FOLDERS.map((folder) => Bun.which('node', { PATH: folder }))
    .filter((path) => path !== null)
    .find((path) => printed([path, '-p', 'process.versions.bun']) === 'undefined');
}

/** The path of nginx, or undefined if it is not installed. */
export function nginxProgram(): string | undefined {
  return Bun.which('nginx', { PATH: FOLDERS.join(delimiter) }) ?? undefined;
}

/** The path of the newest PostgreSQL's pgbench, or undefined if it is not installed. */
export function pgbenchProgram(): string | undefined {
  const installed = [...new Bun.Glob('/usr/lib/postgresql/*/bin').scanSync({ onlyFiles: false })];
  return (
    Bun.which('pgbench', {
      PATH: [...installed.toSorted().toReversed(), ...FOLDERS].join(delimiter),
    }) ?? undefined
  );
}

/** Returns what a command prints to standard output and standard error. */
export function printed(command: string[]): string {
  const { stdout, stderr } = Bun.spawnSync(command);
  return `${stdout.toString()}${stderr.toString()}`.trim();
}
