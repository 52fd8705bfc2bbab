import { join } from 'node:path';
import type { Addresses } from '../../../server/src/context.ts';
import { GENEROUS_LIMITS } from './test-instance.ts';

/** A process of an instance that has several, which can be killed. */
export interface MemberProcess extends AsyncDisposable {
  readonly addresses: Addresses;
  /** Ends it as a power cut would; resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts a process that is told `environment`, with {@link GENEROUS_LIMITS}. */
export async function startMemberProcess(
  environment: Readonly<Record<string, string>>,
): Promise<MemberProcess> {
  const child = Bun.spawn(
    [
      ...[process.execPath, join(import.meta.dir, 'instance-process.ts'), GENEROUS_LIMITS, ''],
      JSON.stringify(environment),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const { value } = await child.stdout.getReader().read();
  const kill = async () => {
    child.kill('SIGKILL');
    await child.exited;
  };
  // Guarantee: the process of our own writes its addresses first.
  const addresses = JSON.parse(new TextDecoder().decode(value)) as Addresses;
  return { addresses, kill, [Symbol.asyncDispose]: kill };
}
