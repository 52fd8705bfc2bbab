import { expect, test } from 'bun:test';
import type { Presence } from './presence.ts';

/** Proves what every engine guarantees. `open` opens the presence of a process that has no others. */
export function presenceContract(
  engine: string,
  open: () => Promise<Presence>,
  { skip = false } = {},
): void {
  test.skipIf(skip)(`${engine}: [ON3] the last report of a process counts`, async () => {
    await using presence = await open();
    expect(await presence.total()).toBe(0);
    expect(await presence.report(3)).toBe(3);
    expect(await presence.report(5)).toBe(5);
    expect(await presence.total()).toBe(5);
    expect(await presence.report(0)).toBe(0);
    expect(await presence.total()).toBe(0);
  });
}
