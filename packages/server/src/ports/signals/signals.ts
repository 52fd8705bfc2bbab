/** A message between the processes of an instance that nobody keeps, such as that somebody writes. */
export interface Signal {
  readonly kind: string;
  readonly d: object;
}

/** Sends a signal only if none with the same key was sent by any process in the last so many milliseconds. */
export interface Once {
  readonly key: string;
  readonly everyMs: number;
}

/** Receives signals. If it throws, the other listeners still receive the signal. */
export type SignalListener = (signal: Signal) => void;

/**
 * Passes signals to all processes of the instance, in no order that callers may rely on. A signal reaches each process once
 * or not at all: what is sent while the others cannot be reached is lost, and so is what is too much for them. Nothing
 * else depends on signals, and no method throws.
 */
export interface Signals extends AsyncDisposable {
  /** True if this process is the whole instance, so that no other answers. */
  readonly isAlone: boolean;

  /** Passes a signal to all processes, this one too. */
  send(signal: Signal, once?: Once): void;

  /** Adds a listener. Returns a function that removes it. */
  listen(listener: SignalListener): () => void;
}
