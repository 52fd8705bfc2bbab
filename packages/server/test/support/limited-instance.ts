import { join } from 'node:path';
import { z } from 'zod';
import type { Addresses } from '../../src/context.ts';
import { GENEROUS_LIMITS } from './test-instance.ts';

const addressesSchema = z.object({ rest: z.string(), gateway: z.string(), files: z.string() });

/** An instance in a process of its own that may have so many descriptors. */
export interface LimitedInstance extends AsyncDisposable {
  readonly addresses: Addresses;
}

/** Starts an instance with `toml` as its instance file in a process that may have `descriptors`. */
export async function startLimitedInstance(
  descriptors: number,
  toml = GENEROUS_LIMITS,
): Promise<LimitedInstance> {
  const child = Bun.spawn(
    [
      ...['sh', '-c', 'ulimit -n "$1" && exec "$2" "$3" "$4"', 'sh', String(descriptors)],
      ...[process.execPath, join(import.meta.dir, 'instance-process.ts'), toml],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const { value } = await child.stdout.getReader().read();
  return {
    addresses: addressesSchema.parse(JSON.parse(new TextDecoder().decode(value))),
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}
