/**
 * Runs `work` with 0, 1, 2 … up to `count`, `atOnce` of them at the same time, and settles like `Promise.allSettled`. Tests of
 * what waits for one row use it: the last of a long queue would wait for longer than a transaction may on a busy machine.
 */
export async function settleAll<Result>(
  { count, atOnce }: { readonly count: number; readonly atOnce: number },
  work: (index: number) => Promise<Result>,
): Promise<readonly PromiseSettledResult<Result>[]> {
  const settled: PromiseSettledResult<Result>[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      const [result] = await Promise.allSettled([work(index)]);
      settled[index] = result;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return settled;
}

/** Runs all of them like `settleAll`, but rejects at the end if any of them did. */
export async function runAll<Result>(
  plan: { readonly count: number; readonly atOnce: number },
  work: (index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const settled = await settleAll(plan, work);
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
