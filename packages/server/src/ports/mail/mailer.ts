/** A message to one person. */
export interface Mail {
  /** The address, as the person gave it. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The server will never take this mail: trying again is useless. */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError';
}

/** Sends mail. */
export interface Mailer {
  /**
   * Sends a mail. `id` becomes its Message-ID, so that a repetition can be recognised. Throws MailRefusedError, and any other
   * error if it may help to try again.
   */
  send(mail: Mail, options: { readonly id: string; readonly signal: AbortSignal }): Promise<void>;
}
