import { z } from 'zod';
import { LineProcess, linesOf } from '../line-process.ts';
import { GENEROUS_LIMITS, startTestInstance, type TestInstance } from './test-instance.ts';

const addressesSchema = z.object({ rest: z.string(), gateway: z.string(), files: z.string() });

/** An instance in a separate process that can be killed. */
export interface HistoryInstance extends Pick<TestInstance, 'addresses'>, AsyncDisposable {
  /** Kills it, like a power cut. Resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts an instance with its data in `folder` that keeps this many messages. It ends with this process. */
export async function startHistoryInstance(
  folder: string,
  messages: number,
): Promise<HistoryInstance> {
  const toml = `[oprish]\nhistory = { messages = ${messages} }\n${GENEROUS_LIMITS}`;
  const child = new LineProcess(import.meta.path, folder, toml);
  return {
    addresses: addressesSchema.parse(JSON.parse(await child.says())),
    kill: () => child.kill(),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

/** Runs the process with its arguments. */
export async function run([folder = '', toml = '']: readonly string[]): Promise<void> {
  const { addresses } = await startTestInstance({ folder, toml });
  process.stdout.write(`${JSON.stringify(addresses)}\n`);
  for await (const _line of linesOf(Bun.stdin.stream()));
  process.exit();
}

if (import.meta.main) void run(process.argv.slice(2));
