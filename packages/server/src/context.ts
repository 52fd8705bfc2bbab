import type { Clock } from './lib/clock.ts';
import type { InstanceSettings } from './config/config.ts';
import type { Logger } from './log/logger.ts';
import type { FailureLog } from './log/failure-log.ts';
import type { RefusalLog } from './log/refusal-log.ts';
import type { Blobs } from './ports/blobs/blobs.ts';
import type { Bus } from './ports/bus/bus.ts';
import type { IdSource } from './ports/bus/id-source.ts';
import type { Limiter } from './ports/limiter/limiter.ts';
import type { Mailer } from './ports/mail/mailer.ts';
import type { Pictures } from './ports/pictures/pictures.ts';
import type { EmittingDatabase } from './ports/outbox/outbox.ts';
import type { Presence } from './ports/presence/presence.ts';
import type { Signals } from './ports/signals/signals.ts';
import type { Restrictions } from './restrictions.ts';
import type { Authentication } from './authentication.ts';

/** The addresses of the three components, as clients are given them. */
export interface Addresses {
  readonly rest: string;
  readonly gateway: string;
  readonly files: string;
}

/** The part of the context that every service needs: all that the web client has. */
export interface ServiceContext {
  readonly settings: InstanceSettings;
  readonly addresses: Addresses;
  /** The addresses that the file service is known to have, that of {@link addresses} first; `*` is any host. */
  readonly fileAddresses: readonly string[];
  readonly clock: Clock;
  readonly refusals: RefusalLog;
  readonly failures: FailureLog;
  readonly log: Logger;
  /** A process that serves nothing but the files of the web client does not know them. */
  readonly restrictions?: Restrictions;
}

/** The part of the context that every verb receives: built once at the start, the same for every request. */
export interface Context extends ServiceContext {
  readonly database: EmittingDatabase;
  readonly bus: Bus;
  readonly limiter: Limiter;
  readonly presence: Presence;
  readonly signals: Signals;
  readonly blobs: Blobs;
  readonly pictures: Pictures;
  /** Undefined if the instance has no server for mail. */
  readonly mailer: Mailer | undefined;
  readonly ids: IdSource;
  readonly restrictions: Restrictions;
  readonly authentication: Authentication;
}
