import type { Clock } from '../lib/clock.ts';
import type { Config } from '../config/config.ts';
import type { Context } from '../context.ts';
import type { KeepsHistory } from '../features/talk/lobby/lobby.ts';
import type { Logger } from '../log/logger.ts';

/** The ports of an instance and the history of its lobby, opened on the engines that its owner chose. */
export type Engines = Pick<
  Context,
  'database' | 'ids' | 'bus' | 'limiter' | 'presence' | 'signals' | 'blobs'
> &
  KeepsHistory;

/** The parts that are needed to open engines. They are added to `resources`, even if opening fails halfway. */
export interface EngineParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly resources: AsyncDisposableStack;
}

/**
 * The purpose of an owner's command. `adding` adds data, and makes the data folder if there is none. `maintenance`
 * lists and removes what exists, and fails if there is nothing (OP20).
 */
export type OwnerPurpose = 'adding' | 'maintenance';
