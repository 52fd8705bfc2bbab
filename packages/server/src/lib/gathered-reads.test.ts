import { describe, expect, test } from 'bun:test';
import { GatheredReads } from './gathered-reads.ts';

/** Readings that end when a test says so. */
function readings() {
  const begun: { keys: readonly string[]; end: (error?: Error) => Promise<void> }[] = [];
  const reads = new GatheredReads<string, string>((keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, string>>();
    const found = keys.filter((key) => key !== 'nothing').map((key) => [key, `${key}!`] as const);
    begun.push({
      keys,
      end: async (error) => {
        if (error === undefined) resolve(new Map(found));
        else reject(error);
        await new Promise(setImmediate);
      },
    });
    return promise;
  });
  return { begun, of: (key: string) => reads.of(key) };
}

describe('GatheredReads', () => {
  test('a few things at once are read each by itself', async () => {
    const { begun, of } = readings();
    const asked = ['one', 'nothing', 'one'].map(of);
    expect(begun.map(({ keys }) => keys)).toEqual([['one'], ['nothing'], ['one']]);
    for (const { end } of begun) await end();
    expect(await Promise.all(asked)).toEqual(['one!', undefined, 'one!']);
  });

  test('things that are asked for meanwhile are read together, each once, and at most 100', async () => {
    const { begun, of } = readings();
    const names = Array.from({ length: 150 }, (_, at) => `person ${at}`);
    const asked = [...names, 'person 4'].map(of);
    expect(begun.map(({ keys }) => keys.length)).toEqual([1, 1, 1, 1]);
    await begun[2]?.end();
    await begun[0]?.end();
    expect(begun.slice(4).map(({ keys }) => keys)).toEqual([names.slice(4, 104), names.slice(104)]);
    const later = of('later');
    for (let at = 0; at < begun.length; at += 1) await begun[at]?.end();
    expect(await Promise.all(asked)).toEqual([...names, 'person 4'].map((name) => `${name}!`));
    expect(await later).toBe('later!');
    void of('again');
    expect(begun.at(-1)?.keys).toEqual(['again']);
  });

  test('a failed reading rejects for those who asked for it, and reading goes on', async () => {
    const { begun, of } = readings();
    const asked = ['1', '2', '3', '4', '5', '6'].map((key) => of(key).catch(String));
    await begun[0]?.end(new Error('away'));
    expect(begun.at(-1)?.keys).toEqual(['5', '6']);
    for (const { end } of begun.slice(1)) await end();
    expect(await Promise.all(asked)).toEqual(['Error: away', '2!', '3!', '4!', '5!', '6!']);
  });
});
