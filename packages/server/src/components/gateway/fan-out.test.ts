import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { FanOut, type Pace } from './fan-out.ts';
import { SWEEP_BYTES } from './sweeps.ts';

/** A fan-out of texts. The test runs the turns of the event loop itself; the log has what the fan-out did. */
function openFanOut(sweep = () => {}) {
  const log: string[] = [];
  const faults: unknown[] = [];
  const turns: (() => void)[] = [];
  const moments: (() => void)[] = [];
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
    paceOf,
    moment: () => new Promise((resolve) => moments.push(resolve)),
  });
  const microtasks = async () => {
    for (let microtask = 0; microtask < 6; microtask += 1) await Promise.resolve();
  };
  const takeTurn = async () => {
    turns.shift()?.();
    await microtasks();
  };
  const endMoment = async () => {
    moments.shift()?.();
    await microtasks();
  };
  return { fanOut, log, faults, turns, moments, takeTurn, endMoment };
}

/** Begins every text that is gathered, and every text that is sent with any others. */
const GATHERED = 'gathered ';
const ANY = 'any ';

function paceOf(text: string): Pace {
  if (text.startsWith(GATHERED)) return 'gathered';
  return text.startsWith(ANY) ? 'any' : 'next turn';
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

type Step = { readonly size: number; readonly pace: string } | 'turn' | 'moment';

test('[GW17][GW18] with any traffic the order is kept, nothing is left out, and what is sent between two checks is bounded', async () => {
  const size = fc.oneof(
    fc.integer({ min: 16, max: 2_000 }),
    fc.integer({ min: 16, max: SWEEP_BYTES }),
  );
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 3, arbitrary: fc.record({ size, pace: fc.constantFrom('', GATHERED, ANY) }) },
    { weight: 2, arbitrary: fc.constantFrom<Step>('turn', 'moment') },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
      const { fanOut, log, turns, moments, takeTurn, endMoment } = openFanOut();
      const sent: string[] = [];
      const settled: string[] = [];
      for (const each of steps) {
        if (each === 'turn') await takeTurn();
        else if (each === 'moment') await endMoment();
        else {
          const text = big(`${each.pace}${sent.length}:`, each.size);
          sent.push(text);
          void Promise.resolve(fanOut.send(text)).then(() => settled.push(text));
        }
      }
      while (turns.length + moments.length > 0) {
        await takeTurn();
        await endMoment();
      }
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

/** A fan-out that has sent so many events together. */
async function openBusyFanOut(count: number) {
  const opened = openFanOut();
  sendAll(opened.fanOut, Array<string>(count).fill(`${GATHERED}before`));
  while (opened.turns.length > 0) await opened.takeTurn();
  opened.log.length = 0;
  return opened;
}

test('[GW17] gathered events are sent together as soon as a turn has brought no more', async () => {
  const { fanOut, log, turns, moments, takeTurn } = openFanOut();
  const texts = ['1', '2', '3'].map((text) => GATHERED + text);
  for (const text of texts) {
    sendAll(fanOut, [text]);
    await takeTurn();
    expect(log).toEqual([]);
  }
  await takeTurn();
  expect([log, turns.length, moments.length]).toEqual([texts, 0, 0]);
});

test('[GW17] a gathered event waits a moment for as many as were sent before, and not for more', async () => {
  const { fanOut, log, moments, takeTurn, turns } = await openBusyFanOut(3);
  const texts = ['1', '2', '3'].map((text) => GATHERED + text);
  sendAll(fanOut, texts.slice(0, 1));
  await takeTurn();
  await takeTurn();
  expect([log, moments.length, turns.length]).toEqual([[], 1, 0]);
  sendAll(fanOut, texts.slice(1));
  await takeTurn();
  await takeTurn();
  await takeTurn();
  expect([log, moments.length, turns.length]).toEqual([texts, 1, 0]);
});

test('[GW17] a gathered event that nothing follows is sent after a moment, and the next one without', async () => {
  const { fanOut, log, moments, takeTurn, endMoment } = await openBusyFanOut(3);
  sendAll(fanOut, [`${GATHERED}1`]);
  await takeTurn();
  await takeTurn();
  expect(log).toEqual([]);
  await endMoment();
  expect([log, moments.length]).toEqual([[`${GATHERED}1`], 0]);
  sendAll(fanOut, [`${GATHERED}2`]);
  await takeTurn();
  await takeTurn();
  expect([log.at(-1), moments.length]).toEqual([`${GATHERED}2`, 0]);
});

test('[GW17][GW19] an urgent event is sent in the next turn, and with it those before it', async () => {
  const { fanOut, log, takeTurn } = await openBusyFanOut(3);
  sendAll(fanOut, [`${GATHERED}1`]);
  await takeTurn();
  await takeTurn();
  sendAll(fanOut, ['2']);
  await takeTurn();
  await takeTurn();
  expect(log).toEqual([`${GATHERED}1`, '2']);
});

test('[GW17] events that keep coming wait for no more than the runtime sends at once', async () => {
  const { fanOut, log, takeTurn } = openFanOut();
  const sent: string[] = [];
  while (log.length === 0 && sent.length < 100) {
    sent.push(`${GATHERED}${sent.length}`);
    sendAll(fanOut, sent.slice(-1));
    await takeTurn();
  }
  expect(log).toEqual(sent);
  expect(sent).toHaveLength(32);
});

test('[GW17] a caller that waits for earlier events does not wait for later ones', async () => {
  const { fanOut, log, moments, takeTurn } = await openBusyFanOut(3);
  sendAll(fanOut, [`${GATHERED}1`]);
  await takeTurn();
  await takeTurn();
  expect(moments).toHaveLength(1);
  let isSettled = false;
  void fanOut.settled()?.then(() => (isSettled = true));
  await takeTurn();
  await takeTurn();
  expect([log, isSettled]).toEqual([[`${GATHERED}1`], true]);
});

test('[GW17] events that need not be gathered wait for nothing, and are sent in order with those that are', async () => {
  const { fanOut, log, turns, takeTurn } = await openBusyFanOut(3);
  sendAll(fanOut, [`${ANY}1`]);
  await takeTurn();
  expect([log, turns.length]).toEqual([[`${ANY}1`], 0]);
  sendAll(fanOut, [`${GATHERED}2`]);
  await takeTurn();
  await takeTurn();
  sendAll(fanOut, [`${ANY}3`, `${GATHERED}4`]);
  await takeTurn();
  expect(log).toHaveLength(1);
  sendAll(fanOut, [`${GATHERED}5`]);
  for (let turn = 0; turn < 4; turn += 1) await takeTurn();
  expect(log).toEqual([`${ANY}1`, `${GATHERED}2`, `${ANY}3`, `${GATHERED}4`, `${GATHERED}5`]);
});
