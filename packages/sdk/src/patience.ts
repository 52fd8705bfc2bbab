/**
 * The longest time in milliseconds that a request waits for its limit if a person waits for it at a form. Then it
 * fails, so that the person can be shown how long it takes.
 */
export const LONGEST_FORM_WAIT_MS = 5_000;
