import { join } from 'node:path';
import { z } from 'zod';
import type { Addresses } from '../../../server/src/context.ts';
import { helperCommand } from '../helper-command.ts';
import { GENEROUS_LIMITS } from './test-instance.ts';

const addressesSchema = z.object({
  rest: z.string(),
  gateway: z.string(),
  files: z.string(),
  web: z.string().optional(),
});

/** An instance in a separate process with a limit of descriptors. */
export interface LimitedInstance extends AsyncDisposable {
  readonly addresses: Addresses;
  /** The address of the given web client. */
  readonly web: string | undefined;
}

/** Starts an instance with `toml` as its instance file and that web client, in a process limited to `descriptors`. */
export async function startLimitedInstance(
  descriptors: number,
  toml = GENEROUS_LIMITS,
  webFolder = '',
): Promise<LimitedInstance> {
  const child = Bun.spawn(
    [
      ...['sh', '-c', 'ulimit -n "$1" && shift && exec "$@"', 'sh', String(descriptors)],
      ...helperCommand(join(import.meta.dir, 'instance-process.ts')),
      ...[toml, webFolder],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const { value } = await child.stdout.getReader().read();
  const { web, ...addresses } = addressesSchema.parse(JSON.parse(new TextDecoder().decode(value)));
  return {
    addresses,
    web,
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}
