import type { PasswordsOptions } from '../../../server/src/features/accounts/users/passwords.ts';

/** Hashes that take no time worth mentioning: a real one takes 25 ms of a processor. */
export const CHEAP_PASSWORDS: PasswordsOptions = { cost: { memoryKiB: 64, passes: 1 } };
