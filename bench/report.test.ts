import { expect, test } from 'bun:test';
import type { Row } from './benchmark.ts';
import { table } from './report.ts';

const ROW: Row = { work: 'post', subject: 'echo', value: 1234.56, unit: 'requests/s' };
const lastLine = (row: Row) => table([row]).split('\n').at(-1) ?? '';
const cells = (row: Row) =>
  lastLine(row)
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

test('a table has a line for its titles, a line below them and a line for each row, all equally long', () => {
  const lines = table([ROW, { ...ROW, work: 'something longer' }]).split('\n');
  expect(lines).toHaveLength(4);
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
});

test('figures have three digits, and missing figures are left out', () => {
  expect(cells({ ...ROW, cpuMicroseconds: 12.345, residentBytes: 3 * 1024 ** 2 })).toEqual([
    ...['post', 'echo', '1235 requests/s', '12.3', '', '', '3', '', ''],
  ]);
});

test.each<[Partial<Row>, string]>([
  [{ ratio: 0.7, goal: { least: 0.7 } }, 'at least 0.7 reached'],
  [{ ratio: 0.69, goal: { least: 0.7 } }, 'at least 0.7 MISSED'],
  [{ ratio: 1.11, goal: { most: 1.1 } }, 'at most 1.1 MISSED'],
  [{ value: 8, goal: { most: 9 } }, 'at most 9 reached'],
  [{ value: 8, ratio: 10, goal: { most: 9 } }, 'at most 9 MISSED'],
])('a goal is for the ratio, or for the value if there is no ratio: %j', (parts, goal) => {
  expect(cells({ ...ROW, ...parts }).at(-1)).toBe(goal);
});
