import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quote } from './config/wording.ts';
import { errorMessage } from './lib/error-code.ts';
import { LOCK_FILES, lockDataFolder, lockIncoming } from './ports/database/data-lock.ts';
import { StartError } from './lib/start-error.ts';

/** The places of an instance's files, below DATA_DIR. */
export interface DataFolder {
  readonly path: string;
  readonly database: string;
  readonly blobs: string;
}

/** The places below `path`. */
export function dataFolder(path: string): DataFolder {
  return { path, database: join(path, 'hearth.sqlite'), blobs: join(path, 'blobs') };
}

/** Names of an instance's files; one of them shows that the folder belongs to an instance. */
const OWN_NAMES = ['hearth.sqlite', 'blobs', 'spool', 'reserve', ...Object.values(LOCK_FILES)];

/** Entries that systems put into folders that look empty to their owners. */
const SYSTEM_NAMES = ['lost+found', 'System Volume Information', '$RECYCLE.BIN', '@eaDir'];

/**
 * Makes the folder if it is missing, for this user alone (OP48). Throws StartError, also for a folder that has other
 * files and nothing of an instance (OP47).
 */
export async function makeDataFolder({ path }: DataFolder): Promise<void> {
  const stats = await inData(path, () => statSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) {
    await inData(path, () => {
      mkdirSync(dirname(path), { recursive: true });
      // Recursive again, because another start may just have made it.
      mkdirSync(path, { recursive: true, mode: 0o700 });
    });
    return;
  }
  if (!stats.isDirectory()) {
    throw new StartError(`DATA_DIR: expected a folder, but ${path} is a file`);
  }
  const foreign = foreignName(await inData(path, () => readdirSync(path)));
  if (foreign === undefined) return;
  const found = `${path} has other files, such as ${quote(foreign)}`;
  throw new StartError(
    `DATA_DIR: expected an empty folder or the data of an instance, but ${found}`,
  );
}

/** A name which shows that the folder is somebody else's; undefined if it is an instance's, or as good as empty. */
function foreignName(names: readonly string[]): string | undefined {
  if (names.some((name) => OWN_NAMES.includes(name))) return undefined;
  // The instance file may be in the same folder.
  const isHarmless = (name: string) =>
    name.startsWith('.') || name.endsWith('.toml') || SYSTEM_NAMES.includes(name);
  return names.find((name) => !isHarmless(name));
}

/** Throws StartError if there is nothing of an instance in the folder. */
export function requireData(folder: DataFolder): void {
  if (existsSync(folder.database)) return;
  throw new StartError(
    `DATA_DIR: there is no instance data in ${folder.path}: start an instance first, or set DATA_DIR`,
  );
}

/** Claims the folder for the one instance that runs on it. Throws StartError. */
export async function claimDataFolder(folder: DataFolder): Promise<Disposable> {
  const lock = await lockFolder(folder);
  if (lock !== undefined) return lock;
  throw new StartError(`DATA_DIR: another instance is running on ${folder.path}`);
}

/** Claims the folder of an instance that does not run, so that it does not start. Throws StartError. */
export async function claimStopped(folder: DataFolder): Promise<Disposable> {
  const lock = await lockFolder(folder);
  if (lock !== undefined) return lock;
  throw new StartError(`DATA_DIR: the instance is running on ${folder.path}: stop it first`);
}

function lockFolder({ path }: DataFolder): Promise<Disposable | undefined> {
  return inData(join(path, LOCK_FILES.folder), () => lockDataFolder(path));
}

/** Claims the writing of contents next to an instance, which removes none of them meanwhile. Throws StartError. */
export async function claimWriting({ path }: DataFolder): Promise<Disposable> {
  const lock = await inData(join(path, LOCK_FILES.incoming), () => lockIncoming(path, 'writing'));
  if (lock !== undefined) return lock;
  throw new StartError(
    `DATA_DIR: an instance is starting on ${path}, or being moved: try again later`,
  );
}

/** Claims the leftovers of all writers; undefined while another process writes. Throws StartError. */
export function claimLeftovers({ path }: DataFolder): Promise<Disposable | undefined> {
  return inData(join(path, LOCK_FILES.incoming), () => lockIncoming(path, 'sweeping'));
}

/**
 * Returns the result of `use`, which needs what is at `path`. Its failure is a StartError that names DATA_DIR and
 * `path`.
 */
export async function inData<Result>(
  path: string,
  use: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await use();
  } catch (error) {
    throw new StartError(`DATA_DIR: cannot use ${path}: ${errorMessage(error)}`);
  }
}
