import { join } from 'node:path';
import type { Addresses } from '../../../server/src/context.ts';
import { helperCommand } from '../helper-command.ts';
import { GENEROUS_LIMITS } from './test-instance.ts';

/** One of several processes of an instance. It can be killed. */
export interface MemberProcess extends AsyncDisposable {
  readonly addresses: Addresses;
  /** Kills it, like a power cut. Resolves when it is gone. */
  kill(): Promise<void>;
}

/**
 * Starts a process with the variables of `environment`, and an instance file that has {@link GENEROUS_LIMITS} by default. With a
 * folder of a built web client, it serves that.
 */
export async function startMemberProcess(
  environment: Readonly<Record<string, string>>,
  toml = GENEROUS_LIMITS,
  web = '',
): Promise<MemberProcess> {
  const child = Bun.spawn(
    [
      ...helperCommand(join(import.meta.dir, 'instance-process.ts')),
      ...[toml, web, JSON.stringify(environment)],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const { value } = await child.stdout.getReader().read();
  const kill = async () => {
    child.kill('SIGKILL');
    await child.exited;
  };
  // Guarantee: the first line of this process has its addresses.
  const addresses = JSON.parse(new TextDecoder().decode(value)) as Addresses;
  return { addresses, kill, [Symbol.asyncDispose]: kill };
}
