import type { ReceivedMessage } from '@hearth/sdk';

/** Where a chat is read and written. */
export interface Face {
  /** Whether somebody sits there, who may give commands and be asked. */
  readonly isInteractive: boolean;
  /** What is typed, a message at a time. */
  readonly typed: AsyncIterator<string, undefined>;
  /** Aborts when whoever is there has gone: with Ctrl-C, or because nobody reads it any more. */
  readonly left: AbortSignal;
  /** What stands before what is being typed. */
  setPrompt(prompt: string): void;
  /** A message; `receivedAtMs` in Unix milliseconds, for those that have no time. */
  show(message: ReceivedMessage, receivedAtMs: number): void;
  /** A message that was shown says something else now; `receivedAtMs` as when it was shown. */
  update(message: ReceivedMessage, receivedAtMs: number): void;
  /** A message that was shown is not there any more; `receivedAtMs` as when it was shown. */
  remove(message: ReceivedMessage, receivedAtMs: number): void;
  /** Something about the chat itself. */
  notice(text: string): void;
  /** Lets go of the terminal. Resolves with the exit code when all is written. */
  finish(): Promise<number>;
}
