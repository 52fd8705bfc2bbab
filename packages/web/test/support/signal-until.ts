import { effect, type ReadonlySignal } from '@preact/signals';

/** Resolves when `isMet` holds for the value of a signal; subscribes to it until then. */
export function signalUntil<Value>(
  signal: ReadonlySignal<Value>,
  isMet: (value: Value) => boolean,
): Promise<Value> {
  const { promise, resolve } = Promise.withResolvers<Value>();
  const stop = effect(() => {
    const { value } = signal;
    if (isMet(value)) resolve(value);
  });
  return promise.finally(() => stop());
}
