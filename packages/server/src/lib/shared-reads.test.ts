import { describe, expect, test } from 'bun:test';
import { SharedReads } from './shared-reads.ts';

/** Readings that end when a test says so. */
function readings() {
  const begun: PromiseWithResolvers<string>[] = [];
  const reads = new SharedReads<string, string>();
  return {
    begun,
    read: (key = 'post') =>
      reads.read(key, () => {
        const reading = Promise.withResolvers<string>();
        begun.push(reading);
        return reading.promise;
      }),
  };
}

describe('SharedReads', () => {
  test('a thing is read once for all who ask while the reading before is under way', async () => {
    const { begun, read } = readings();
    const first = read();
    const others = Array.from({ length: 100 }, () => read());
    expect(begun).toHaveLength(1);
    begun[0]?.resolve('old');
    expect(await first).toBe('old');
    expect(begun).toHaveLength(2);
    const later = read();
    begun[1]?.resolve('new');
    expect(new Set(await Promise.all(others))).toEqual(new Set(['new']));
    begun[2]?.resolve('newest');
    expect(await later).toBe('newest');
    expect(begun).toHaveLength(3);
  });

  test('different things are read at the same time, and again what nobody reads', async () => {
    const { begun, read } = readings();
    const both = [read('one'), read('other')];
    expect(begun).toHaveLength(2);
    for (const [at, { resolve }] of begun.entries()) resolve(String(at));
    expect(await Promise.all(both)).toEqual(['0', '1']);
    const again = read('one');
    begun[2]?.resolve('2');
    expect(await again).toBe('2');
  });

  test('a failed reading rejects for all who share it, and a later one reads again', async () => {
    const { begun, read } = readings();
    const first = read();
    const second = read();
    begun[0]?.reject(new Error('away'));
    expect(await first.catch(String)).toBe('Error: away');
    begun[1]?.resolve('back');
    expect(await second).toBe('back');
  });
});
