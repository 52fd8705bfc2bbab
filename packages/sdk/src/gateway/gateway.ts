import type { Pauses } from '@hearth/protocol';
import { deferred, type Deferred } from '../deferred.ts';
import { ClosedError, HearthError, UnauthorizedError } from '../errors.ts';
import type { ConnectionState, RequestOptions } from '../types.ts';
import { reconnectDelayMs } from './backoff.ts';
import { Dialer, type DialerOptions } from './dialer.ts';
import type { Link } from './link.ts';
import type { LinkListener } from './link-options.ts';
import type { Opening } from './opening.ts';
import { broken, type Parting } from './parting.ts';
import type { Phase } from './phase.ts';
import type { WebSocketConstructor } from './web-socket.ts';

export interface GatewayOptions extends DialerOptions {
  /** Undefined if the runtime has none and none was given. */
  readonly WebSocket: WebSocketConstructor | undefined;
  readonly random: () => number;
  onState(state: ConnectionState): void;
  /** Called with the number of connections that the instance has. */
  onOnline(count: number): void;
  /** Called with what the owner has paused. */
  onPauses(pauses: Pauses): void;
}

/** A connection that lasted this long was a good one, and resets the count of attempts. */
const STABLE_AFTER_MS = 10_000;

/** The connection to an instance's gateway. It reconnects by itself until it is closed. */
export class GatewayClient {
  readonly #options: GatewayOptions;
  readonly #dialer: Dialer;
  /** The callers that wait for the connection to open. */
  readonly #openers = new Set<Deferred<void>>();
  #phase: Phase = { state: 'idle' };
  /** True if a caller wants it to stay open, even if others stop waiting. */
  #isKept = false;
  #refusal: ClosedError | undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#dialer = new Dialer(options);
  }

  /** Why the instance closed it, if the instance said that reconnecting cannot help. */
  get refusal(): ClosedError | undefined {
    return this.#refusal;
  }

  get state(): ConnectionState {
    const phase = this.#phase;
    switch (phase.state) {
      case 'connecting':
        return { state: 'connecting', attempt: phase.attempt };
      case 'open':
        return { state: 'open', profile: phase.profile, isCurrent: phase.isCurrent };
      case 'waiting': {
        const { attempt, retryAtMs, reason } = phase;
        return { state: 'waiting', attempt, retryAtMs, reason };
      }
      case 'idle':
      case 'closed':
        return phase;
    }
  }

  /**
   * Resolves when the connection is open. From then on it reconnects by itself. If `signal` aborts first and no other caller
   * waits, it is not opened. Throws ClosedError, and HearthError if there is no WebSocket.
   */
  async open({ signal }: RequestOptions = {}): Promise<void> {
    signal?.throwIfAborted();
    this.#start();
    if (this.#phase.state === 'open') return;
    const opener = deferred<void>();
    const onAbort = () => opener.reject(signal?.reason);
    this.#openers.add(opener);
    signal?.addEventListener('abort', onAbort);
    // A listener of the first state change may have closed it.
    if (signal?.aborted === true) onAbort();
    try {
      await opener.promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      this.#openers.delete(opener);
      if (!this.#isKept && this.#openers.size === 0) this.#rest();
    }
  }

  /** Keeps the connection open, whether it can be opened now or later. Throws the errors of `open`. */
  keepOpen(): void {
    this.#start();
    this.#isKept = true;
  }

  /** Ends a wait before the next attempt, and checks whether an open connection is alive: for the browser's `online` event, and for a button. */
  reconnectNow(): void {
    if (this.#phase.state === 'open') return this.#phase.link.check();
    if (this.#phase.state !== 'waiting') return;
    this.#phase.stopTimer();
    this.#connect(this.#phase.attempt);
  }

  /** Resolves when everything that the gateway has sent so far has arrived; never if the connection ends first. */
  async caughtUp(): Promise<void> {
    if (this.#phase.state === 'open') await this.#phase.link.caughtUp();
  }

  /** Sends a payload, if the connection is open and the gateway of profile 2. */
  send(payload: object): void {
    if (this.#phase.state === 'open' && this.#phase.profile === 2) this.#phase.link.send(payload);
  }

  /** The missing messages have been filled in. */
  markCurrent(isCurrent: boolean): void {
    if (this.#phase.state !== 'open' || this.#phase.isCurrent === isCurrent) return;
    this.#become({ ...this.#phase, isCurrent });
  }

  /**
   * Somebody else is signed in, or nobody: connects again, if it is connected or was refused because of the token. What
   * comes meanwhile is not missed.
   */
  changeUser(): void {
    this.#options.feed.forgetUser();
    const phase = this.#phase;
    if (phase.state === 'closed' && this.#refusal?.reason === 'unauthorized') {
      this.#refusal = undefined;
      this.#phase = { state: 'idle' };
      if (this.#isKept) this.#connect(0);
      else this.#become(this.#phase);
    } else if (phase.state === 'connecting' || (phase.state === 'open' && phase.profile === 2)) {
      if (phase.state === 'open') this.#options.feed.left();
      else phase.abort.abort(new ClosedError('The connection is no longer wanted'));
      phase.link?.close().catch(() => undefined);
      this.#connect(0);
    }
  }

  /** Ends the connection permanently; resolves when the other side has closed too, or after two seconds. */
  async close(reason: unknown = new ClosedError('This client is closed')): Promise<void> {
    const { reason: why, ban } = this.#refusal ?? {};
    const link = this.#stop({ state: 'closed', ...(why && { reason: why }), ...(ban && { ban }) });
    for (const opener of this.#openers) opener.reject(reason);
    await link?.close();
  }

  #start(): void {
    if (this.#phase.state === 'closed') {
      throw this.#refusal ?? new ClosedError('This client is closed');
    }
    if (this.#options.WebSocket === undefined) {
      throw new HearthError(
        'This runtime has no WebSocket: pass one in the options (Node 20 has none)',
      );
    }
    if (this.#phase.state === 'idle') this.#connect(0);
  }

  /** No caller wants the connection any more. */
  #rest(): void {
    if (this.#phase.state === 'closed') return;
    this.#stop({ state: 'idle' })
      ?.close()
      .catch(() => undefined);
  }

  #stop(next: Extract<Phase, { state: 'idle' | 'closed' }>): Link | undefined {
    const phase = this.#phase;
    if (phase.state === next.state) return undefined;
    if (phase.state === 'waiting') phase.stopTimer();
    if (phase.state === 'connecting')
      phase.abort.abort(new ClosedError('The connection is no longer wanted'));
    if (phase.state === 'open') this.#options.feed.left();
    this.#become(next);
    return phase.state === 'open' || phase.state === 'connecting' ? phase.link : undefined;
  }

  #connect(attempt: number): void {
    const abort = new AbortController();
    this.#become({ state: 'connecting', attempt, abort });
    this.#dialer.prepare(abort.signal).then(
      () => abort.signal.aborted || this.#dial(attempt, abort),
      (error: unknown) => abort.signal.aborted || this.#failed(error, attempt),
    );
  }

  /** Nothing could be sent. */
  #failed(error: unknown, attempt: number): void {
    const isRefused = error instanceof UnauthorizedError;
    if (isRefused) this.#refuse({ ...broken(), reason: 'unauthorized', reconnect: false });
    else this.#wait(broken(), attempt);
  }

  #dial(attempt: number, abort: AbortController): void {
    const options = this.#options;
    const { WebSocket, feed } = options;
    if (WebSocket === undefined) return;
    const isMine = () => 'link' in this.#phase && this.#phase.link === link;
    const listener: LinkListener = {
      opened: (opening) => isMine() && this.#opened(opening),
      event: (event) => isMine() && feed.event(event),
      broken: (event) => isMine() && feed.broken(event),
      online: (count) => isMine() && options.onOnline(count),
      pauses: (pauses) => isMine() && options.onPauses(pauses),
      limited: (retryAfterMs) => isMine() && feed.limited(retryAfterMs),
      ended: (parting) => isMine() && this.#ended(parting),
    };
    let link: Link | undefined;
    try {
      link = this.#dialer.dial(WebSocket, listener);
    } catch {
      // The address or the access code may be another one at the next attempt.
      return this.#wait(broken(), attempt);
    }
    this.#phase = { state: 'connecting', attempt, abort, link };
  }

  #opened(opening: Opening): void {
    const phase = this.#phase;
    if (phase.state !== 'connecting' || phase.link === undefined) return;
    const { attempt, link } = phase;
    const { profile } = opening;
    const sinceMs = this.#options.clock.now();
    // The feed is asked before the listeners see an open connection; if it has to fill a gap, it calls markCurrent later.
    this.#phase = { state: 'open', attempt, link, profile, isCurrent: false, sinceMs };
    const isCurrent = this.#options.feed.opened(opening);
    this.#dialer.opened();
    if (this.#phase.state !== 'open' || this.#phase.link !== link) return;
    this.#isKept = true;
    this.#become({ ...this.#phase, isCurrent: isCurrent || this.#phase.isCurrent });
    for (const opener of this.#openers) opener.resolve();
  }

  #ended(parting: Parting): void {
    const phase = this.#phase;
    const wasOpen = phase.state === 'open';
    if (wasOpen) this.#options.feed.left();
    if (!parting.reconnect) return this.#refused(parting);
    const isStable = wasOpen && this.#options.clock.now() - phase.sinceMs > STABLE_AFTER_MS;
    this.#wait(parting, isStable || !('attempt' in phase) ? 0 : phase.attempt);
  }

  #refused(parting: Parting): void {
    const { reason } = parting;
    if (reason === 'access_code' && this.#dialer.missesCode()) return this.#connect(0);
    if (reason !== 'unauthorized') return this.#refuse(parting);
    const abort = new AbortController();
    this.#phase = { state: 'connecting', attempt: 0, abort };
    void this.#dialer
      .replaceToken(abort.signal)
      .catch(() => false)
      .then((isReplaced) => {
        if (abort.signal.aborted) return;
        if (isReplaced) this.#connect(0);
        else this.#refuse(parting);
      });
  }

  #refuse({ reason, ban }: Parting): void {
    const text = `The instance does not want this client: ${reason}`;
    this.#refusal = new ClosedError(text, reason, ban);
    void this.close(this.#refusal);
  }

  /** Waits after the failed attempt number `attempt`. */
  #wait(parting: Parting, attempt: number): void {
    const { clock, random } = this.#options;
    const next = attempt + 1;
    const delayMs = reconnectDelayMs(parting, next, random);
    const stopTimer = clock.after(delayMs, () => this.#connect(next));
    const retryAtMs = clock.now() + delayMs;
    this.#become({ state: 'waiting', attempt: next, retryAtMs, reason: parting.reason, stopTimer });
  }

  #become(phase: Phase): void {
    this.#phase = phase;
    this.#options.onState(this.state);
  }
}
