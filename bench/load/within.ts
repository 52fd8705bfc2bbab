/** The additional time that something planned may take before it counts as failed. */
const GRACE_MS = 10_000;

/** Resolves with the result of `work`. If it takes 10 s longer than `milliseconds`, throws what is `missing`. */
export async function within<Result>(
  milliseconds: number,
  work: Promise<Result>,
  missing: () => string,
): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const giveUp = setTimeout(
    () => late.reject(new Error(`this takes too long: ${missing()} missing`)),
    milliseconds + GRACE_MS,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(giveUp);
  }
}
