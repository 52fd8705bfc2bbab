import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** The path of the first of these programs that exists: an absolute path, or a name on the PATH or in `folders`. */
export function findProgram(
  names: readonly string[],
  folders: readonly string[] = [],
): string | undefined {
  const searched = [...(process.env['PATH'] ?? '').split(delimiter), ...folders];
  return names
    .flatMap((name) => (isAbsolute(name) ? [name] : searched.map((folder) => join(folder, name))))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
