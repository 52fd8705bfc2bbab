import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Signal, Signals } from './signals.ts';

/** The signals of the processes of one instance. */
export type OpenSignals = () => Promise<AsyncDisposable & { readonly all: readonly Signals[] }>;

/** Proves what every engine guarantees. */
export function signalsContract(name: string, open: OpenSignals, { skip = false } = {}): void {
  describe.skipIf(skip)(`signals, ${name}`, () => {
    let stage: Awaited<ReturnType<OpenSignals>>;
    beforeAll(async () => {
      stage = await open();
    });
    afterAll(() => stage[Symbol.asyncDispose]());

    /** Records what every process hears from now on. */
    function hear() {
      const heard = stage.all.map((): Signal[] => []);
      const stops = stage.all.map((signals, index) =>
        signals.listen((signal) => void heard[index]?.push(signal)),
      );
      return { heard, [Symbol.dispose]: () => stops.forEach((stop) => stop()) };
    }

    test('[GC9] signals reach every process once, until it does not listen any more', async () => {
      using hearing = hear();
      const sent = stage.all.map((signals, from): Signal => {
        const signal = { kind: 'x', d: { from, text: 'é "' } };
        signals.send(signal);
        return signal;
      });
      await until(async () => hearing.heard.every((each) => each.length === sent.length));
      for (const each of hearing.heard) {
        expect(each.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual(
          sent,
        );
      }
      hearing[Symbol.dispose]();
      using later = hear();
      stage.all[0]?.send({ kind: 'y', d: {} });
      await until(async () => later.heard.every((each) => each.length === 1));
      expect(hearing.heard.map((each) => each.length)).toEqual(stage.all.map(() => sent.length));
    });

    test('[GC9] with one key are sent once in a while, whichever process sends them', async () => {
      using hearing = hear();
      const once = { key: 'a b', everyMs: 100_000 };
      for (const signals of stage.all) {
        for (const text of ['one', 'two']) signals.send({ kind: text, d: {} }, once);
      }
      stage.all[0]?.send({ kind: 'other', d: {} }, { key: 'c', everyMs: 1 });
      stage.all[0]?.send({ kind: 'last', d: {} });
      await until(async () =>
        hearing.heard.every((each) => each.some(({ kind }) => kind === 'last')),
      );
      for (const each of hearing.heard) {
        expect(each.map(({ kind }) => kind).toSorted()).toEqual(['last', 'one', 'other']);
      }
    });

    test('[GC9] a listener that fails keeps nothing from the others', async () => {
      const [first] = stage.all;
      const stop = first?.listen(() => {
        throw new Error('on purpose');
      });
      using hearing = hear();
      first?.send({ kind: 'x', d: {} });
      await until(async () => hearing.heard.every((each) => each.length === 1));
      stop?.();
    });
  });
}
