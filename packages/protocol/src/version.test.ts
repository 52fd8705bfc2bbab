import { expect, test } from 'bun:test';
import { INTERFACE_VERSION, instanceVersion } from './version.ts';

test('[VE2] the version of the interface is 0.3.2', () => {
  expect(INTERFACE_VERSION).toBe('0.3.2');
});

test.each(['0.1.0', '1.20.300'])(
  "[VE2] the interface's version comes before Hearth's own, %s",
  (own) => {
    const version = instanceVersion(own);
    expect(version).toBe(`0.3.2+hearth.${own}`);
    expect(version.split(/[.+]/).slice(0, 3).map(Number)).toEqual([0, 3, 2]);
  },
);

test('[VE2] semantic versions compare correctly, because what follows the plus sign is ignored', () => {
  const version = instanceVersion('99.0.0');
  expect(Bun.semver.order(version, '0.3.2')).toBe(0);
  expect(Bun.semver.order(version, '0.3.1')).toBe(1);
  expect(Bun.semver.order(version, '0.4.0')).toBe(-1);
  expect(Bun.semver.satisfies(version, '>=0.3.1 <0.4.0')).toBe(true);
});
