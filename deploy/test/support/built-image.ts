import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { run } from '@hearth/testing/programs/runtimes';
import { tempFolder } from '@hearth/testing/temp-folder';
import { copyContext } from './build-context.ts';
import { lastOf, readDockerfile, variablesOf, wordsOf, type Stage } from './dockerfile.ts';

/** The repository's folder. */
export const ROOT = join(import.meta.dirname, '../../..');

/** The result of a Dockerfile, in a folder instead of an image. Disposal removes it. */
export interface BuiltImage extends AsyncDisposable {
  /** The folder with the image's files, without those of the base image. */
  readonly files: string;
  /** The command of a container: ENTRYPOINT and CMD, or ENTRYPOINT and the given words. */
  command(words?: readonly string[]): readonly string[];
  /** The command of the health check. */
  readonly healthCommand: readonly string[];
  /** The variables of the image. DATA_DIR names the data folder among the files. */
  readonly env: Readonly<Record<string, string>>;
  readonly workingDir: string;
}

/**
 * Carries out the instructions of the repository's Dockerfile, with folders instead of images. The only difference is the
 * runtime: it is the one that runs this code instead of the package with the same version.
 */
export async function builtImage(): Promise<BuiltImage> {
  const folder = await tempFolder();
  try {
    const stages = readDockerfile(join(ROOT, 'Dockerfile'));
    const last = stages.at(-1);
    if (last === undefined) throw new Error('the Dockerfile is empty');
    for (const stage of stages) await build(stage, folder.path);
    return describeImage(last, folder);
  } catch (error) {
    await folder[Symbol.asyncDispose]();
    throw error;
  }
}

function describeImage(
  stage: Stage,
  folder: AsyncDisposable & { readonly path: string },
): BuiltImage {
  const files = filesOf(stage, folder.path);
  const variables = variablesOf(stage);
  const inFiles = (word: string) => (word.startsWith('/') ? join(files, word) : word);
  const program = (words: readonly string[]) =>
    words.map((word, index) => (index === 0 ? join(files, 'usr/local/bin', word) : inFiles(word)));
  const entry = program(wordsOf(lastOf(stage, 'ENTRYPOINT')));
  return {
    files,
    command: (words = wordsOf(lastOf(stage, 'CMD'))) => [...entry, ...words],
    healthCommand: program(wordsOf(lastOf(stage, 'HEALTHCHECK').replace(/^CMD /, ''))),
    env: { ...variables, DATA_DIR: inFiles(variables['DATA_DIR'] ?? '') },
    workingDir: inFiles(lastOf(stage, 'WORKDIR')),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

function filesOf({ name }: Stage, folder: string): string {
  return join(folder, name ?? 'image');
}

async function build(stage: Stage, folder: string): Promise<void> {
  const files = filesOf(stage, folder);
  let workingDir = '/';
  const at = (path: string) => join(files, path.startsWith('/') ? path : join(workingDir, path));
  mkdirSync(files);
  for (const { name, flags, rest } of stage.instructions) {
    if (name === 'WORKDIR') {
      workingDir = rest;
      mkdirSync(at('.'), { recursive: true });
    } else if (name === 'COPY') {
      copy(rest, { from: flags.get('from'), folder, at });
    } else if (name === 'RUN') {
      await runStep(rest, { files, workingDir: at('.') });
    }
  }
}

function copy(
  rest: string,
  places: { from: string | undefined; folder: string; at: (path: string) => string },
): void {
  const [source = '', target = '', ...others] = rest.split(' ');
  if (others.length > 0) throw new Error(`copies several files at once: ${rest}`);
  const { from, folder, at } = places;
  if (from === undefined) {
    if (source !== '.') throw new Error(`copies another part of the context: ${rest}`);
    copyContext(ROOT, at(target));
    return;
  }
  const to = at(target.endsWith('/') ? join(target, basename(source)) : target);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(join(folder, from, source), to, { recursive: true });
}

async function runStep(
  step: string,
  { files, workingDir }: { files: string; workingDir: string },
): Promise<void> {
  const programs = join(files, 'usr/local/bin');
  const version = /^npm install --global --allow-scripts=bun bun@(\S+)$/.exec(step)?.[1];
  if (version !== undefined) {
    if (version !== Bun.version) throw new Error(`installs Bun ${version}, this is ${Bun.version}`);
    mkdirSync(programs, { recursive: true });
    symlinkSync(process.execPath, join(programs, 'bun'));
    return;
  }
  const { PATH = '', HOME = '' } = process.env;
  const { exitCode, stdout, stderr } = await run(['sh', '-c', step], {
    cwd: workingDir,
    env: { PATH: `${programs}:${PATH}`, HOME },
  });
  if (exitCode !== 0) throw new Error(`RUN ${step}: exit code ${exitCode}\n${stdout}${stderr}`);
}
