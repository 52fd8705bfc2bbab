import { compareIds } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { countedIds } from './id-source.ts';

test('counted identifiers of two sources differ, and one after another is greater', async () => {
  const [one, other] = [countedIds({ number: 0, of: 2 }), countedIds({ number: 1, of: 2 })];
  const seen = new Set<string>();
  let newest = await one.next();
  seen.add(newest);
  for (let count = 0; count < 20; count += 1) {
    await one.next().then((id) => seen.add(id));
    const after = other.afterNow(newest) ?? expect.unreachable();
    expect(compareIds(after, newest)).toBeGreaterThan(0);
    const next = await one.after(after);
    expect(compareIds(next, after)).toBeGreaterThan(0);
    newest = next;
    seen.add(after);
    seen.add(next);
  }
  expect(seen.size).toBe(61);
});
