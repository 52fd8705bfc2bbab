/**
 * The error that something rejects with; undefined if it resolves. `expect(…).rejects` waits within one turn of the event loop, so
 * what waits for the end of that turn, as transactions of the embedded database do, may never end.
 */
export function failureOf(failing: Promise<unknown>): Promise<unknown> {
  return failing.then(
    () => undefined,
    (error: unknown) => error,
  );
}
