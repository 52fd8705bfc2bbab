import type { SharedEnvironment } from '../instances/cluster.ts';
import { LineProcess } from '../line-process.ts';
import { emitCounted } from './emit-counted.ts';
import { sharedPlace, type OutboxParts } from './outbox-places.ts';

/** Transactions that are on their way at the same time. */
const LANES = 6;

/** How many subjects they emit for. */
export const SUBJECTS = ['channel 1', 'channel 2', 'channel 3'];

/** An instance on servers. */
export interface SharedInstance {
  readonly environment: SharedEnvironment;
  readonly prefix: string;
}

/**
 * Starts a process of an instance that emits until it is killed, and says so after each commit. If it `isMute`,
 * nothing of what it commits reaches the bus.
 */
export function emittingProcess(instance: SharedInstance, { isMute = false } = {}): LineProcess {
  return new LineProcess(import.meta.path, JSON.stringify(instance), String(isMute));
}

/** Nothing that is handed to this bus is published, or refused. */
const MUTE: OutboxParts['bus'] = (bus) => ({
  publish: (publication) => bus.publish(publication),
  append: (event) => bus.append(event),
  publishNext: () => new Promise(() => {}),
  subscribe: (follower) => bus.subscribe(follower),
  [Symbol.asyncDispose]: () => bus[Symbol.asyncDispose](),
});

async function run(instance: string, isMute: boolean): Promise<void> {
  const { environment, prefix } = JSON.parse(instance);
  const member = await sharedPlace(environment, prefix).open({
    bus: isMute ? MUTE : undefined,
    database: (database) => ({
      ...database,
      async transaction(work) {
        const result = await database.transaction(work);
        process.stdout.write('committed\n');
        return result;
      },
    }),
  });
  const emitOn = async () => {
    for (;;) {
      const subject = SUBJECTS[Math.floor(Math.random() * SUBJECTS.length)] ?? '';
      await member.database.transaction((tx) => emitCounted(tx, subject));
    }
  };
  await Promise.all(Array.from({ length: LANES }, emitOn));
}

if (import.meta.main) await run(process.argv[2] ?? '', process.argv[3] === 'true');
