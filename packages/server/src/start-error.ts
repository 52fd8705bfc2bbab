/** Why an instance could not start, in one line for its owner. */
export class StartError extends Error {}
