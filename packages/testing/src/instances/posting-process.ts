import type { SharedEnvironment } from './cluster.ts';
import { LineProcess } from '../line-process.ts';
import { openSharedMember } from './shared-member.ts';

/** Messages in flight at the same time. */
const POSTERS = 4;

/** Starts a process of an instance that posts until it is killed, and prints each message that was dispatched. */
export function postingProcess(environment: SharedEnvironment, name: string): LineProcess {
  return new LineProcess(import.meta.path, JSON.stringify(environment), name);
}

/** Runs the process with its arguments. */
export async function run([environment = '', name = '']: readonly string[]): Promise<void> {
  const bounds = { messages: 1_000_000, days: 30 };
  const member = await openSharedMember(JSON.parse(environment), bounds);
  const postOn = async (who: number) => {
    for (let count = 0; ; count += 1) {
      const content = `${name} ${who} ${count}`;
      await member.post(content);
      process.stdout.write(`${content}\n`);
    }
  };
  await Promise.all(Array.from({ length: POSTERS }, (_, who) => postOn(who)));
}

if (import.meta.main) void run(process.argv.slice(2));
