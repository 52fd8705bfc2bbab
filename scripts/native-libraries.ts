import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Libraries with parts that are not JavaScript, which no bundle can contain, and the packages that use them. */
export const NATIVE_LIBRARIES: Readonly<Record<string, string>> = { sharp: 'packages/server' };

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Copies the native libraries of the repository in `root` to `modules`, with what they need, unless they are there. */
export function copyNativeLibraries(root: string, modules: string): void {
  for (const [name, user] of Object.entries(NATIVE_LIBRARIES)) {
    const linked = join(root, user, 'node_modules', name);
    if (!existsSync(linked)) continue;
    const from = realpathSync(linked);
    // Next to what it depends on.
    const store = dirname(from);
    const manifest = manifestOf(from);
    const { dependencies, optionalDependencies } = manifest;
    const needed = Object.keys({ ...dependencies, ...optionalDependencies });
    const present = needed.filter((each) => existsSync(join(store, each)));
    for (const each of [...present, name]) copyOnce(join(store, each), join(modules, each));
  }
}

function copyOnce(from: string, to: string): void {
  if (existsSync(to) && manifestOf(to).version === manifestOf(from).version) return;
  const made = `${to}.${crypto.randomUUID()}`;
  mkdirSync(dirname(to), { recursive: true });
  cpSync(realpathSync(from), made, { recursive: true, dereference: true });
  // Those who have the older one loaded keep it.
  rmSync(to, { recursive: true, force: true });
  renameSync(made, to);
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
