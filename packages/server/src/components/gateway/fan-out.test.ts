import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { FanOut } from './fan-out.ts';
import { SWEEP_BYTES } from './sweeps.ts';

/** A fan-out of texts. The test runs the turns of the event loop itself; the log has what the fan-out did. */
function openFanOut(sweep = () => {}) {
  const log: string[] = [];
  const faults: unknown[] = [];
  const turns: (() => void)[] = [];
  let bytes = 0;
  const fanOut = new FanOut<string>({
    publish(text) {
      if (text === BROKEN) throw new Error(BROKEN);
      log.push(text);
      bytes += Buffer.byteLength(text);
    },
    isSweepDue: () => bytes >= SWEEP_BYTES,
    sweep: () => {
      bytes = 0;
      log.push('sweep');
      sweep();
    },
    onFault: (error) => faults.push(error),
    nextTurn: () => new Promise((resolve) => turns.push(resolve)),
  });
  const takeTurn = async () => {
    turns.shift()?.();
    for (let microtask = 0; microtask < 5; microtask += 1) await Promise.resolve();
  };
  return { fanOut, log, faults, turns, takeTurn };
}

/** A text that cannot be published. */
const BROKEN = 'broken';

const big = (name: string, bytes = SWEEP_BYTES) => name + 'x'.repeat(bytes - name.length);

/** Sends one event after another. The answer has those that did not have to wait, or have waited. */
function sendAll(fanOut: FanOut<string>, texts: readonly string[]): string[] {
  const settled: string[] = [];
  for (const text of texts) {
    void Promise.resolve(fanOut.send(text)).then(() => settled.push(text));
  }
  return settled;
}

test('[GW17] the events of one turn are sent together in the next turn, in order, and no request waits for that', async () => {
  const { fanOut, log, turns, takeTurn } = openFanOut();
  expect(['1', '2', '3'].map((text) => fanOut.send(text))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([log, turns.length]).toEqual([[], 1]);
  await takeTurn();
  expect([log, turns.length]).toEqual([['1', '2', '3'], 0]);
  await fanOut.send('4');
  await takeTurn();
  expect([log, turns.length]).toEqual([['1', '2', '3', '4'], 0]);
});

test('[GW17] events that arrive before the sockets were checked wait after the earlier ones', async () => {
  const { fanOut, log, turns, takeTurn } = openFanOut();
  const first = big('a');
  await Promise.all(sendAll(fanOut, [first, 'b']));
  await takeTurn();
  expect(log).toEqual([first]);
  const settled = sendAll(fanOut, ['c', 'd']);
  await Promise.resolve();
  expect(settled).toEqual([]);
  await takeTurn();
  expect(log).toEqual([first, 'sweep', 'b', 'c', 'd']);
  expect(settled).toEqual(['c', 'd']);
  expect(turns).toHaveLength(0);
  expect(fanOut.send('e')).toBeUndefined();
  await takeTurn();
  expect(log.at(-1)).toBe('e');
});

test('[GW19] an event that is sent before a sweep is due is not delayed by it, and the others wait only for their own event', async () => {
  const { fanOut, log, takeTurn } = openFanOut();
  const early = sendAll(fanOut, [big('a'), big('b')]);
  await takeTurn();
  expect(early).toHaveLength(2);
  const late = sendAll(fanOut, [big('c'), big('d')]);
  await takeTurn();
  expect(log.map((text) => text[0])).toEqual(['a', 's', 'b']);
  expect(late).toEqual([]);
  await takeTurn();
  expect(late).toEqual([big('c')]);
  await takeTurn();
  expect(late).toHaveLength(2);
});

test('[GW3] at the end everything is sent at once, once, and nothing is left waiting', async () => {
  const { fanOut, log, turns, takeTurn } = openFanOut();
  const early = sendAll(fanOut, [big('a'), 'b']);
  await takeTurn();
  const late = sendAll(fanOut, [big('c'), 'd']);
  fanOut.flush();
  expect(log.map((text) => text[0])).toEqual(['a', 'b', 'c', 'd']);
  while (turns.length > 0) await takeTurn();
  expect([early.length, late.length]).toEqual([2, 2]);
  expect(log.filter((text) => text !== 'sweep')).toHaveLength(4);
  fanOut.flush();
  expect(log.filter((text) => text !== 'sweep')).toHaveLength(4);
});

test('[GW17] an event that cannot be sent is reported and does not delay the others', async () => {
  const { fanOut, log, faults, turns, takeTurn } = openFanOut();
  sendAll(fanOut, [BROKEN, 'a', big('b')]);
  await takeTurn();
  const later = sendAll(fanOut, [BROKEN, 'c']);
  await takeTurn();
  expect(later).toEqual([BROKEN, 'c']);
  expect(log.map((text) => text[0])).toEqual(['a', 'b', 's', 'c']);
  expect(faults.map(String)).toEqual(['Error: broken', 'Error: broken']);
  expect(turns).toHaveLength(0);
});

test('[GW17] a failure in checking the sockets is reported and delays no events', async () => {
  const failure = new Error('a socket went wrong');
  const { fanOut, log, faults, takeTurn } = openFanOut(() => {
    throw failure;
  });
  sendAll(fanOut, [big('a')]);
  await takeTurn();
  const later = sendAll(fanOut, ['b']);
  await takeTurn();
  expect(later).toEqual(['b']);
  sendAll(fanOut, ['c']);
  await takeTurn();
  expect(faults).toEqual([failure]);
  expect(log.slice(1)).toEqual(['sweep', 'b', 'c']);
});

type Step = { readonly size: number } | 'turn';

test('[GW17][GW18] with any traffic the order is kept, nothing is left out, and what is sent between two checks is bounded', async () => {
  const size = fc.oneof(
    fc.integer({ min: 8, max: 2_000 }),
    fc.integer({ min: 8, max: SWEEP_BYTES }),
  );
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 3, arbitrary: fc.record({ size }) },
    { weight: 1, arbitrary: fc.constant<Step>('turn') },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
      const { fanOut, log, turns, takeTurn } = openFanOut();
      const sent: string[] = [];
      const settled: string[] = [];
      for (const each of steps) {
        if (each === 'turn') await takeTurn();
        else {
          const text = big(`${sent.length}:`, each.size);
          sent.push(text);
          void Promise.resolve(fanOut.send(text)).then(() => settled.push(text));
        }
      }
      while (turns.length > 0) await takeTurn();
      await Promise.resolve();
      expect(log.filter((text) => text !== 'sweep')).toEqual(sent);
      expect(settled).toEqual(sent);
      let sinceSweep: string[] = [];
      for (const text of [...log, 'sweep']) {
        if (text !== 'sweep') {
          sinceSweep.push(text);
          continue;
        }
        const bytes = sinceSweep.reduce((sum, { length }) => sum + length, 0);
        expect(bytes - (sinceSweep.at(-1)?.length ?? 0)).toBeLessThan(SWEEP_BYTES);
        sinceSweep = [];
      }
    }),
    { numRuns: 60 },
  );
});

test('[GW17] a caller that waits for earlier events is resumed when they are sent, also after a sweep', async () => {
  const { fanOut, log, turns, takeTurn } = openFanOut();
  expect(fanOut.settled()).toBeUndefined();
  void fanOut.send(big('1'));
  void fanOut.send('2');
  let isSettled = false;
  void fanOut.settled()?.then(() => (isSettled = true));
  void fanOut.send('3');
  await takeTurn();
  expect([log, isSettled]).toEqual([[big('1')], false]);
  await takeTurn();
  expect([log, isSettled]).toEqual([[big('1'), 'sweep', '2', '3'], true]);
  expect([fanOut.settled(), turns.length]).toEqual([undefined, 0]);
});
