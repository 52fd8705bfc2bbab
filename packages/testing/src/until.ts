const EAGER_TURNS = 100;
const PAUSE_MS = 2;

/**
 * Resolves when `isMet`: looked at in every turn of the loop at first, and later so rarely that others get the processor.
 * The test's own time is the bound.
 */
export async function until(isMet: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; !(await isMet()); turn += 1) {
    await new Promise((resolve) => {
      if (turn < EAGER_TURNS) setImmediate(resolve);
      else setTimeout(resolve, PAUSE_MS);
    });
  }
}
