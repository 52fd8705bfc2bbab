const EAGER_TURNS = 100;
const PAUSE_MS = 2;

/**
 * Resolves when `isMet`. It is checked in every turn of the event loop at first, and later less often, so that others get
 * the processor. The test's timeout is the limit.
 */
export async function until(isMet: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; !(await isMet()); turn += 1) {
    await new Promise((resolve) => {
      if (turn < EAGER_TURNS) setImmediate(resolve);
      else setTimeout(resolve, PAUSE_MS);
    });
  }
}
