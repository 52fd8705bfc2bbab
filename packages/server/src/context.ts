import type { Id } from '@hearth/protocol';
import type { Clock } from './lib/clock.ts';
import type { InstanceSettings } from './config/config.ts';
import type { Logger } from './log/logger.ts';
import type { FailureLog } from './log/failure-log.ts';
import type { RefusalLog } from './log/refusal-log.ts';
import type { Blobs } from './ports/blobs/blobs.ts';
import type { Bus } from './ports/bus/bus.ts';
import type { Limiter } from './ports/limiter/limiter.ts';
import type { Mailer } from './ports/mail/mailer.ts';
import type { Pictures } from './ports/pictures/pictures.ts';
import type { EmittingDatabase } from './ports/outbox/outbox.ts';
import type { Presence } from './ports/presence/presence.ts';
import type { Signals } from './ports/signals/signals.ts';
import type { Restrictions } from './restrictions.ts';
import type { Authentication } from './authentication.ts';

/** Makes identifiers that never repeat within the instance. */
export interface IdSource {
  /** The next identifier. Throws ServerError if the instance is more than 60 s of identifiers ahead of time. */
  next(): Promise<Id>;

  /** An identifier greater than `after` and than all that this process has made. Throws what storing it throws. */
  after(id: Id): Promise<Id>;

  /** The same at once, for a transaction, which must not wait for it; undefined if none is available. */
  afterNow(id: Id): Id | undefined;

  /**
   * Passes the next identifier to `use` before any later one is made, so that what is done with identifiers has their
   * order; at once if one is available. Throws the same errors, and what `use` throws.
   */
  nextFor<Result>(use: (id: Id) => Result): Result | Promise<Awaited<Result>>;
}

/** The addresses of the three components, as clients are given them. */
export interface Addresses {
  readonly rest: string;
  readonly gateway: string;
  readonly files: string;
}

/** What every service needs: all that the web client has. */
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

/** What verbs receive: built once at the start, the same for every request. */
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
