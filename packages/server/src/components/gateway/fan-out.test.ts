import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { FanOut, SWEEP_BYTES } from './fan-out.ts';

/** A fan-out whose turns of the loop the test takes itself; what it did is in the log. */
function openFanOut(sweep = () => {}) {
  const log: string[] = [];
  const faults: unknown[] = [];
  const turns: (() => void)[] = [];
  const fanOut = new FanOut({
    publish: (text) => log.push(text),
    sweep: () => {
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

const big = (name: string, bytes = SWEEP_BYTES) => name + 'x'.repeat(bytes - name.length);

test('[GW17] events go out at once and in order while few bytes are on their way', async () => {
  const { fanOut, log, turns } = openFanOut();
  await Promise.all([fanOut.send('1'), fanOut.send('2'), fanOut.send('3')]);
  expect(log).toEqual(['1', '2', '3']);
  expect(turns).toHaveLength(0);
});

test('[GW17] events that come before the sockets were looked at wait behind those that came before them', async () => {
  const { fanOut, log, turns, takeTurn } = openFanOut();
  const first = big('a');
  await fanOut.send(first);
  const settled: string[] = [];
  for (const text of ['b', 'c'])
    void Promise.resolve(fanOut.send(text)).then(() => settled.push(text));
  await Promise.resolve();
  expect(log).toEqual([first]);
  expect(settled).toEqual([]);
  await takeTurn();
  expect(log).toEqual([first, 'sweep', 'b', 'c']);
  expect(settled).toEqual(['b', 'c']);
  await fanOut.send('d');
  expect(log.at(-1)).toBe('d');
  expect(turns).toHaveLength(0);
});

test('[GW19] whoever sends the event that makes a sweep due is not kept by those behind it', async () => {
  const { fanOut, takeTurn } = openFanOut();
  const settled: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    void Promise.resolve(fanOut.send(big(name))).then(() => settled.push(name));
  }
  await Promise.resolve();
  expect(settled).toEqual(['a']);
  await takeTurn();
  expect(settled).toEqual(['a', 'b']);
});

test('[GW18] bytes are counted as they go over the wire', async () => {
  const { fanOut, turns } = openFanOut();
  await fanOut.send('€'.repeat(SWEEP_BYTES / 3 - 1));
  expect(turns).toHaveLength(0);
  await fanOut.send('€');
  expect(turns).toHaveLength(1);
});

test('[GW17] a failure in looking at the sockets is told and keeps nobody waiting', async () => {
  const failure = new Error('a socket went wrong');
  const { fanOut, log, faults, takeTurn } = openFanOut(() => {
    throw failure;
  });
  await fanOut.send(big('a'));
  const behind = fanOut.send('b');
  await takeTurn();
  await behind;
  await fanOut.send('c');
  expect(faults).toEqual([failure]);
  expect(log.slice(1)).toEqual(['sweep', 'b', 'c']);
});

type Step = { readonly size: number } | 'turn';

test('[GW17][GW18] with any traffic the order is kept, nothing is left out, and what goes out between two looks is bounded', async () => {
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
