import { delimiter } from 'node:path';

/** Debian's nginx is where only an administrator's shell looks. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];

/** Where Node is, or undefined where it is not installed: `bun run` has a `node` in its PATH that is Bun. */
export function nodeProgram(): string | undefined {
  return FOLDERS.map((folder) => Bun.which('node', { PATH: folder }))
    .filter((path) => path !== null)
    .find((path) => printed([path, '-p', 'process.versions.bun']) === 'undefined');
}

/** Where nginx is, or undefined where it is not installed. */
export function nginxProgram(): string | undefined {
  return Bun.which('nginx', { PATH: FOLDERS.join(delimiter) }) ?? undefined;
}

/** Where the pgbench beside the newest PostgreSQL is, or undefined where it is not installed. */
export function pgbenchProgram(): string | undefined {
  const installed = [...new Bun.Glob('/usr/lib/postgresql/*/bin').scanSync({ onlyFiles: false })];
  return (
    Bun.which('pgbench', {
      PATH: [...installed.toSorted().toReversed(), ...FOLDERS].join(delimiter),
    }) ?? undefined
  );
}

/** What a command prints, wherever to. */
export function printed(command: string[]): string {
  const { stdout, stderr } = Bun.spawnSync(command);
  return `${stdout.toString()}${stderr.toString()}`.trim();
}
