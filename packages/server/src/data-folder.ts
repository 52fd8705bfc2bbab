import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from './error-code.ts';
import { LOCK_FILES, lockDataFolder, lockIncoming } from './ports/database/data-lock.ts';
import { StartError } from './start-error.ts';

/** Where an instance keeps what, below DATA_DIR. */
export interface DataFolder {
  readonly path: string;
  readonly database: string;
  readonly blobs: string;
}

/** The places below `path`. */
export function dataFolder(path: string): DataFolder {
  return { path, database: join(path, 'hearth.sqlite'), blobs: join(path, 'blobs') };
}

/** Makes the folder where it is missing. Throws StartError. */
export async function makeDataFolder({ path }: DataFolder): Promise<void> {
  await inData(path, () => mkdirSync(path, { recursive: true }));
}

/** Throws StartError where there is nothing of an instance in the folder. */
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

/** Claims the writing of contents beside an instance, which sweeps none of them up meanwhile. Throws StartError. */
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

/** What `use` gives, which needs what is at `path`. Its failure is a StartError that names DATA_DIR and `path`. */
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
