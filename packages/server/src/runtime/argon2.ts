export interface Argon2Cost {
  readonly memoryKiB: number;
  readonly passes: number;
}

/** Hashes a password with argon2id and a fresh salt, in another thread. The result names its parameters. */
export function hashArgon2(password: string, { memoryKiB, passes }: Argon2Cost): Promise<string> {
  return Bun.password.hash(password, {
    algorithm: 'argon2id',
    memoryCost: memoryKiB,
    timeCost: passes,
  });
}

/**
 * Resolves with whether this is the password of a hash that `hashArgon2` made with any parameters. In another thread.
 */
export function verifyArgon2(password: string, hash: string): Promise<boolean> {
  return Bun.password.verify(password, hash, 'argon2id');
}
