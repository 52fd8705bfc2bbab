import { spawn } from 'bun';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A way to run a TypeScript program. */
export interface Runtime {
  readonly name: string;
  /** The words before the program's path; empty if the runtime is not available. */
  readonly command: readonly string[];
}

/** The output of a program, and how it ended. */
export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const BUN: Runtime = { name: 'Bun', command: [process.execPath] };

/** Bun and Node of this version: the machine's Node if it is new enough, or else the npm package. */
export async function bunAndNode(major: number): Promise<readonly Runtime[]> {
  const node = await nodeFrom(major);
  return [BUN, { name: `Node ${major}`, command: node === undefined ? [] : [node] }];
}

/** Node of exactly this version, from the npm package if the machine has another version. */
export async function nodeOf(major: number): Promise<Runtime> {
  const own = await machinesNode();
  const node = own?.major === major ? own.path : await npmNode(major);
  return { name: `Node ${major}`, command: node === undefined ? [] : [node] };
}

/** Deno from its npm package. */
export async function deno(): Promise<Runtime> {
  const path = await fromNpm('deno', ['deno', 'eval', 'console.log(Deno.execPath())']);
  const command = path === undefined ? [] : [path, 'run', '--allow-all', '--no-lock', '--quiet'];
  return { name: 'Deno', command };
}

/** Returns whether `runtime` is available. If not, prints a note, or throws in CI, where nothing may be skipped. */
export function isThere({ name, command }: Runtime): boolean {
  if (command.length > 0) return true;
  if (process.env['CI'] === 'true')
    throw new Error(`${name} is not available from the npm registry`);
  process.stderr.write(`${name} is not available from the npm registry: its tests are skipped\n`);
  return false;
}

/** Runs a program to its end. */
export async function run(
  command: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Ended> {
  const child = spawn([...command], { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
}

async function nodeFrom(major: number): Promise<string | undefined> {
  const own = await machinesNode();
  return own !== undefined && own.major >= major ? own.path : npmNode(major);
}

async function machinesNode(): Promise<{ path: string; major: number } | undefined> {
  const path = Bun.which('node');
  if (path === null) return undefined;
  const { stdout } = await run([path, '--version']);
  return { path, major: Number(/^v([0-9]+)\./.exec(stdout)?.[1] ?? 0) };
}

function npmNode(major: number): Promise<string | undefined> {
  return fromNpm(`node@${major}`, ['node', '-p', 'process.execPath']);
}

/** Resolves with what a program of an npm package prints; undefined if the registry cannot be reached. */
async function fromNpm(
  name: string,
  [program, ...args]: readonly [string, ...string[]],
): Promise<string | undefined> {
  // What npx installs stays broken for all later runs if it is killed meanwhile. This folder is one of the run.
  const folder = join(tmpdir(), `hearth-npm-${name.replace('@', '-')}`);
  // Processes that install the same package at once disturb each other.
  const oneAtATime = Bun.which('flock') === null ? [] : ['flock', join(tmpdir(), 'hearth-npm')];
  const install = [...oneAtATime, 'npm', 'install', '--prefix', folder, '--no-audit', '--no-fund'];
  await allowScripts(folder, program);
  for (let count = 0; count < 3; count += 1) {
    const options = { cwd: folder, env: withoutAllowedScripts() };
    const { exitCode, stderr } = await run([...install, name], options);
    if (exitCode === 0) {
      const { stdout } = await run([join(folder, 'node_modules/.bin', program), ...args]);
      return stdout.trim().split('\n').at(-1);
    }
    process.stderr.write(`npm install ${name} ended with ${exitCode}: ${stderr}\n`);
  }
  return undefined;
}

/** From version 12 on, npm runs no scripts of packages but those that the project allows: here, the one that is installed. */
async function allowScripts(folder: string, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const project = { private: true, allowScripts: { [name]: true } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(project));
}

/** The environment without what npx passes on as allowed, which an installation within a project refuses. */
function withoutAllowedScripts(): Record<string, string> {
  const isAllowance = (name: string) => name.toLowerCase() === 'npm_config_allow_scripts';
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || isAllowance(name) ? [] : [[name, value]],
    ),
  );
}
