import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { join } from 'node:path';
import { descriptorLimit, descriptorShares } from './descriptor-limit.ts';

test.each([
  [256, { admitted: 128, refused: 48, fileRequests: 16 }],
  [1_024, { admitted: 640, refused: 128, fileRequests: 64 }],
  [20_000, { admitted: 15_452, refused: 1_024, fileRequests: 1_250 }],
  [1_048_576, { admitted: 915_456, refused: 1_024, fileRequests: 65_536 }],
])('[GW20][HT9] with %p descriptors, sockets and files may take %p', (descriptors, shares) => {
  expect(descriptorShares(descriptors)).toEqual(shares);
});

test('[GW20] whatever the limit, descriptors stay free of sockets for everything else', () => {
  fc.assert(
    fc.property(fc.integer({ min: 128, max: 2 ** 31 }), (descriptors) => {
      const { admitted, refused, fileRequests } = descriptorShares(descriptors);
      expect(admitted).toBeGreaterThanOrEqual(16);
      expect(fileRequests).toBeGreaterThanOrEqual(8);
      expect(descriptors - admitted - refused - 2 * fileRequests).toBeGreaterThanOrEqual(48);
    }),
  );
});

test('[GW20] even a process with hardly any descriptors takes a socket', () => {
  expect(descriptorShares(3).admitted).toBe(1);
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

test('[GW20] the limit is the one that the system sets for the process', async () => {
  const file = join(import.meta.dir, 'descriptor-limit.ts');
  const program = `import { descriptorLimit } from ${JSON.stringify(file)}; process.stdout.write(String(descriptorLimit()));`;
  expect(await printedWithin(300, program)).toBe('300');
  expect(descriptorLimit()).toBeGreaterThan(300);
});

/** Resolves with what a program prints in a process that may have so many descriptors. */
function printedWithin(descriptors: number, program: string): Promise<string> {
  const script = 'ulimit -n "$0" && exec "$1" -e "$2"';
  const child = Bun.spawn(['sh', '-c', script, String(descriptors), process.execPath, program]);
  return new Response(child.stdout).text();
}
