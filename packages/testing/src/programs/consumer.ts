import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tempFolder } from '../temp-folder.ts';
import { run, type Ended } from './runtimes.ts';

const ROOT = join(import.meta.dir, '../../../..');

/** A project that uses Hearth's packages. */
export interface Consumer extends AsyncDisposable {
  readonly path: string;
  write(name: string, text: string): Promise<string>;
  /** Installs `target` as the package `name`. */
  link(name: string, target: string): Promise<void>;
  /** Type-checks everything in it. The output is empty if there is no error. */
  check(compilerOptions?: object): Promise<Ended>;
}

/** An empty project. */
export async function consumer(): Promise<Consumer> {
  const folder = await tempFolder();
  const { path } = folder;
  const write = async (name: string, text: string) => {
    const file = join(path, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  };
  await write('package.json', '{ "type": "module" }');
  return {
    path,
    write,
    async link(name, target) {
      const place = join(path, 'node_modules', name);
      await mkdir(dirname(place), { recursive: true });
      await symlink(target, place);
    },
    async check(compilerOptions = {}) {
      const options = {
        strict: true,
        noEmit: true,
        target: 'ESNext',
        module: 'NodeNext',
        lib: ['ESNext', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
        types: [],
        ...compilerOptions,
      };
      const config = { compilerOptions: options, include: ['*.ts'] };
      await write('tsconfig.json', JSON.stringify(config));
      return run([join(ROOT, 'node_modules/.bin/tsc'), '-p', path]);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
