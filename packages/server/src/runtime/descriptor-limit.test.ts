import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { join } from 'node:path';
import { descriptorLimit, socketLimits } from './descriptor-limit.ts';

test.each([
  [256, { admitted: 160, refused: 48 }],
  [1_024, { admitted: 768, refused: 128 }],
  [20_000, { admitted: 17_952, refused: 1_024 }],
  [1_048_576, { admitted: 1_046_528, refused: 1_024 }],
])('[GW20] of %p descriptors sockets may take %p', (descriptors, limits) => {
  expect(socketLimits(descriptors)).toEqual(limits);
});

test('[GW20] whatever the limit, descriptors stay free of sockets for everything else', () => {
  fc.assert(
    fc.property(fc.integer({ min: 128, max: 2 ** 31 }), (descriptors) => {
      const { admitted, refused } = socketLimits(descriptors);
      expect(admitted).toBeGreaterThanOrEqual(32);
      expect(descriptors - admitted - refused).toBeGreaterThanOrEqual(48);
    }),
  );
});

test('[GW20] even a process that may have next to no descriptors takes a socket', () => {
  expect(socketLimits(3).admitted).toBe(1);
});

test.each([
  [23, true],
  [24, false],
])('[HT9] descriptors run short when %p are left: %p', async (left, isShort) => {
  const file = join(import.meta.dir, 'descriptor-limit.ts');
  const program = `
    import { closeSync, openSync } from 'node:fs';
    import { areDescriptorsShort } from ${JSON.stringify(file)};
    const taken = [];
    try { for (;;) taken.push(openSync('/dev/null', 'r')); } catch {}
    for (const descriptor of taken.slice(0, ${left})) closeSync(descriptor);
    const isShort = areDescriptorsShort();
    process.stdout.write(String(isShort && areDescriptorsShort()));`;
  expect(await printedWithin(300, program)).toBe(String(isShort));
});

test('[GW20] the limit is the one that the system holds the process to', async () => {
  const file = join(import.meta.dir, 'descriptor-limit.ts');
  const program = `import { descriptorLimit } from ${JSON.stringify(file)}; process.stdout.write(String(descriptorLimit()));`;
  expect(await printedWithin(300, program)).toBe('300');
  expect(descriptorLimit()).toBeGreaterThan(300);
});

/** What a program prints in a process that may have so many descriptors. */
function printedWithin(descriptors: number, program: string): Promise<string> {
  const script = 'ulimit -n "$0" && exec "$1" -e "$2"';
  const child = Bun.spawn(['sh', '-c', script, String(descriptors), process.execPath, program]);
  return new Response(child.stdout).text();
}
