/** The time in milliseconds for which a code that was sent by mail can be used. Ours. */
export const MAIL_CODE_MS = 3_600_000;

/**
 * The pages of the web client that links in mail open, below its address. The code is the fragment of the link, which no
 * server receives. Ours.
 */
export const MAIL_PAGES = { verify: '/verify-email', reset: '/reset-password' } as const;

/** The number of recovery codes that a person gets. Each replaces a code of the second factor once. Ours. */
export const RECOVERY_CODES = 10;
