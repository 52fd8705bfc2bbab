import { expect, test } from 'bun:test';
import { instanceInfoSchema, type InstanceInfo } from './instance-info.ts';

const INFO: InstanceInfo = {
  instance_name: 'Hearth',
  description: null,
  version: '0.3.2+hearth.0.1.0',
  message_limit: 2048,
  oprish_url: 'http://127.0.0.1:7159',
  pandemonium_url: 'ws://127.0.0.1:7160',
  effis_url: 'http://127.0.0.1:7161',
  file_size: 20_000_000,
  attachment_file_size: 100_000_000,
};

test('[II1] an InstanceInfo has nine fields', () => {
  expect(instanceInfoSchema.parse(INFO)).toEqual(INFO);
  expect(Object.keys(INFO)).toHaveLength(9);
});

test.each(Object.keys(INFO))('[II1][SV6] an InstanceInfo without %s is refused', (field) => {
  const rest = Object.fromEntries(Object.entries(INFO).filter(([name]) => name !== field));
  expect(instanceInfoSchema.safeParse(rest).error?.issues.map(({ path }) => path)).toEqual([
    [field],
  ]);
});

test.each([
  ['instance_name', ''],
  ['instance_name', null],
  ['description', undefined],
  ['description', 1],
  ['description', ''],
  ['version', null],
  ['message_limit', 0],
  ['message_limit', 20.5],
  ['message_limit', '2048'],
  ['file_size', -1],
  ['attachment_file_size', 1e21],
  ['oprish_url', null],
])('[II2][II3][II4][SV6] the %s of an InstanceInfo is never %p', (field, value) => {
  expect(instanceInfoSchema.safeParse({ ...INFO, [field]: value }).success).toBe(false);
});

test('[II3] the description of an InstanceInfo is text of 1 to 2048 characters or null', () => {
  const isAccepted = (description: unknown) =>
    instanceInfoSchema.safeParse({ ...INFO, description }).success;
  expect([null, 'x', '😀'.repeat(2048)].map(isAccepted)).toEqual([true, true, true]);
  expect(['', 'x'.repeat(2049)].map(isAccepted)).toEqual([false, false]);
});
