/** The state of a message that has not come back yet. */
export type Delivery =
  | { readonly state: 'sending' }
  /** It waits until the limit allows it (our Unix clock) or, without a time, until the connection is back. */
  | { readonly state: 'waiting'; readonly untilMs: number | undefined }
  | FailedDelivery;

/** `error` is undefined if the page was left while it was being posted, or waited. */
export interface FailedDelivery {
  readonly state: 'failed';
  readonly error: unknown;
  readonly mayHaveBeenSent: boolean;
  readonly isRetryable: boolean;
}

/** A message that was written here and has not come back yet. */
export interface PendingMessage {
  /** The nonce, which is also the key of the message that it becomes. */
  readonly key: string;
  readonly author: string;
  readonly content: string;
  readonly createdAtMs: number;
  readonly delivery: Delivery;
}

/** The part of a message that shows whether it is one of ours come back. */
export interface SettlingMessage {
  readonly author: string;
  readonly content: string;
  readonly createdAtMs: number;
  readonly nonce: string | undefined;
}
