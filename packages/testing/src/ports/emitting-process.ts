import { LineProcess } from '../line-process.ts';
import { Recorder } from './bus-recorder.ts';
import { emitCountedAndEnd, numbersIn } from './emit-counted.ts';
import { placeAt, type OutboxParts, type PlaceAddress } from './outbox-places.ts';

/** Transactions that are on their way at the same time. */
const LANES = 6;

/** The subjects for which they emit. */
export const SUBJECTS = ['channel 1', 'channel 2', 'channel 3'];

/**
 * Starts a process of an instance that emits events and control entries until it is killed. It says `committed` after
 * each commit, or `out of order` if it was handed something else than the next events of a subject. If it `isMute`,
 * nothing of what it commits reaches the bus.
 */
export function emittingProcess(address: PlaceAddress, { isMute = false } = {}): LineProcess {
  return new LineProcess(import.meta.path, JSON.stringify(address), String(isMute));
}

/** Nothing that is handed to this bus is published, or refused. */
const MUTE: OutboxParts['bus'] = (bus) => ({
  publish: (publication) => bus.publish(publication),
  append: (event) => bus.append(event),
  appendOnce: (event, key) => bus.appendOnce(event, key),
  publishNext: () => new Promise(() => {}),
  subscribe: (follower) => bus.subscribe(follower),
  [Symbol.asyncDispose]: () => bus[Symbol.asyncDispose](),
});

/** Returns whether a follower was handed the events of each subject one after another. */
function isInOrder(follower: Recorder): boolean {
  return SUBJECTS.every((subject) => {
    const numbers = numbersIn(follower, subject);
    return numbers.every((n, index) => n === (numbers[0] ?? 0) + index);
  });
}

/** Runs the process with its arguments. */
export async function run([address = '', isMute = '']: readonly string[]): Promise<void> {
  const follower = new Recorder();
  const member = await placeAt(JSON.parse(address)).open({
    bus: isMute === 'true' ? MUTE : undefined,
    database: (database) => ({
      ...database,
      transaction(work, options) {
        const onCommit = () => {
          process.stdout.write(isInOrder(follower) ? 'committed\n' : 'out of order\n');
          options?.onCommit?.();
        };
        return database.transaction(work, { ...options, onCommit });
      },
    }),
  });
  await member.bus.subscribe(follower);
  const emitOn = async () => {
    for (;;) {
      const subject = SUBJECTS[Math.floor(Math.random() * SUBJECTS.length)] ?? '';
      await member.database.transaction((tx) => emitCountedAndEnd(tx, subject));
    }
  };
  await Promise.all(Array.from({ length: LANES }, emitOn));
}

if (import.meta.main) void run(process.argv.slice(2));
