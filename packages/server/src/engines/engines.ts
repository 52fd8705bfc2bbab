import type { Clock } from '../lib/clock.ts';
import type { Config } from '../config/config.ts';
import type { Context, IdSource } from '../context.ts';
import type { LobbyContext } from '../features/lobby/lobby-context.ts';
import type { Logger } from '../log/logger.ts';

/** What features keep open while an instance runs, besides its ports. */
export type Features = Pick<LobbyContext, 'history'>;

/** What an instance runs on: its ports, opened on the engines that its owner chose. */
export type Engines = Pick<Context, 'database' | 'ids' | 'bus' | 'limiter' | 'blobs'> & Features;

/** What opening engines needs. What they hold is added to `resources`, even if opening fails half way. */
export interface EngineParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly resources: AsyncDisposableStack;
}

/** What an owner's command does: `adding` adds data, `maintenance` lists and removes what exists. */
export type OwnerPurpose = 'adding' | 'maintenance';

/** What an owner's command has, which creates nothing that needs an identifier. */
export const NO_IDENTIFIERS: IdSource = {
  next: async () => noIdentifiers(),
  after: async () => noIdentifiers(),
  nextFor: noIdentifiers,
};

function noIdentifiers(): never {
  throw new Error('only a running instance makes identifiers');
}
