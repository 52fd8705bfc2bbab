import { LineProcess, linesOf } from '../line-process.ts';
import { startTestInstance } from './test-instance.ts';

/**
 * An instance in a separate process, with its data and its instance file in `folder`. It prints the address of one of
 * its services. After any line of input it prints its peak memory in bytes. It ends with this process.
 */
export function folderInstance(
  folder: string,
  toml: string,
  service: 'rest' | 'files' = 'files',
): LineProcess {
  return new LineProcess(import.meta.path, folder, toml, service);
}

/** Runs the process with its arguments. */
export async function run([
  folder = '',
  toml = '',
  service = '',
]: readonly string[]): Promise<void> {
  const { addresses } = await startTestInstance({ folder, toml });
  process.stdout.write(`${service === 'rest' ? addresses.rest : addresses.files}\n`);
  for await (const _line of linesOf(Bun.stdin.stream())) {
    process.stdout.write(`${process.resourceUsage().maxRSS * 1024}\n`);
  }
  process.exit();
}

if (import.meta.main) void run(process.argv.slice(2));
