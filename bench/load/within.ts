/** How much longer than planned something may take before it counts as lost. */
const GRACE_MS = 10_000;

/** What `work` gives. Throws, and says what is `missing`, where that has not come 10 s after `milliseconds`. */
export async function within<Result>(
  milliseconds: number,
  work: Promise<Result>,
  missing: () => string,
): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const giveUp = setTimeout(
    () => late.reject(new Error(`it takes too long: ${missing()} missing`)),
    milliseconds + GRACE_MS,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(giveUp);
  }
}
