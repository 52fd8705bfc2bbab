/** Resolves when `isMet`, looked at in every turn of the loop; the test's own time is the bound. */
export async function until(isMet: () => Promise<boolean>): Promise<void> {
  while (!(await isMet())) await new Promise((resolve) => setImmediate(resolve));
}
