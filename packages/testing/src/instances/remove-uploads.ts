import { parseId } from '@hearth/protocol';
import { removeUpload } from '../../../server/src/features/files/uploads/remove-upload.ts';
import { LineProcess, linesOf } from '../line-process.ts';
import { OWNER } from '../../../server/src/actor.ts';
import { openTestContext } from './test-context.ts';

/** An owner's process for the instance in `folder`. It reads the id of an upload, removes it and prints the id. */
export function removingProcess(folder: string): LineProcess {
  return new LineProcess(import.meta.path, folder);
}

/** Runs the process with its arguments. */
export async function run([folder = '']: readonly string[]): Promise<void> {
  await using ctx = await openTestContext({ folder });
  process.stdout.write('ready\n');
  for await (const line of linesOf(Bun.stdin.stream())) {
    const id = parseId(line);
    if (id !== undefined) await removeUpload(ctx, OWNER, id);
    process.stdout.write(`${line}\n`);
  }
}

if (import.meta.main) void run(process.argv.slice(2));
