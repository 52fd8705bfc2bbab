import { test } from 'bun:test';
import { killManyTimes, SEED } from './support/kill-many-times.ts';

const KILLS = 100;

test(
  `[FS19][FS20][OP5] an instance that is killed right after a reply, ${KILLS} times, has lost nothing and shows nothing half (seed ${SEED})`,
  () => killManyTimes(KILLS),
  300_000,
);
