/** Where a message is that has not come back yet. */
export type Delivery =
  | { readonly state: 'sending' }
  /** It is kept until the limit allows it (own Unix clock) or, without a time, until the connection is back. */
  | { readonly state: 'waiting'; readonly untilMs: number | undefined }
  | FailedDelivery;

/** `error` undefined: it was on its way, or waited, when the page was left. */
export interface FailedDelivery {
  readonly state: 'failed';
  readonly error: unknown;
  readonly mayHaveBeenSent: boolean;
  readonly isRetryable: boolean;
}

/** A message that was written here and has not come back yet. */
export interface PendingMessage {
  /** The nonce, which is the key of the message that it becomes too. */
  readonly key: string;
  readonly author: string;
  readonly content: string;
  readonly createdAtMs: number;
  readonly delivery: Delivery;
}

/** A message of the lobby, as far as it tells whether it is one of ours come back. */
export interface SettlingMessage {
  readonly author: string;
  readonly content: string;
  readonly createdAtMs: number;
  readonly nonce: string | undefined;
}
