/** Resolves in a later turn of the event loop. Reading from a file takes no turn, so long work would hold up everything else. */
export function letOthersRun(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
