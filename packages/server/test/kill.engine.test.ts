import { test } from 'bun:test';
import { killManyTimes, SEED } from './support/kill-many-times.ts';

const KILLS = 4;

test(
  `[FS19][FS20][OP5] an instance that is killed ${KILLS} times, each right after a reply, loses nothing and serves nothing incomplete (seed ${SEED})`,
  () => killManyTimes(KILLS),
  120_000,
);
