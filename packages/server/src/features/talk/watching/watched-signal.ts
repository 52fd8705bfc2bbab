import type { Id, WatchedEvent } from '@hearth/protocol';
import type { ConnectedClient } from '../../../gateway-host.ts';
import type { StreamName } from '../../../ports/bus/bus.ts';
import type { Signal } from '../../../ports/signals/signals.ts';
import type { Watched } from './watchers.ts';

/** An event for clients that watch something and follow a stream. */
export interface Passed {
  readonly stream: StreamName;
  readonly event: WatchedEvent;
  /** The person whose clients are not sent it. */
  readonly except?: Id | undefined;
}

/** Sends events to those who watch something. */
export interface Passing {
  readonly watchers: Watched;
  readonly send: (watchers: Iterable<ConnectedClient>, passed: Passed) => void;
}

/** Passes signals of one kind on to those who watch what they are about. */
export interface SignalPasser {
  hear(d: Signal['d']): void;

  /** Called with a post that is watched from now on. */
  watch?(post: Id): unknown;

  /** Called about twice a second. */
  tick?(): void;
}

/** A kind of signals about what clients watch. */
export interface WatchedSignal<Ctx> {
  readonly kind: string;
  readonly open: (ctx: Ctx, passing: Passing) => SignalPasser;
}
