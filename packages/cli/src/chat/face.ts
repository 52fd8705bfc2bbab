import type { ReceivedMessage } from '@hearth/sdk';

/** The user's side of a chat: a terminal, or pipes. */
export interface Face {
  /** True if a person uses it, who can type commands and answer questions. */
  readonly isInteractive: boolean;
  /** The lines that are typed. Each is a message or a command. */
  readonly typed: AsyncIterator<string, undefined>;
  /** Aborts when the user leaves with Ctrl-C, or when the output is no longer read. */
  readonly left: AbortSignal;
  /** Sets the text before the line that is being typed. */
  setPrompt(prompt: string): void;
  /** Shows a message. `receivedAtMs`, in Unix milliseconds, is used if the message has no time. */
  show(message: ReceivedMessage, receivedAtMs: number): void;
  /** Shows a change of a message; `receivedAtMs` is the same as when it was shown. */
  update(message: ReceivedMessage, receivedAtMs: number): void;
  /** Shows the removal of a message; `receivedAtMs` is the same as when it was shown. */
  remove(message: ReceivedMessage, receivedAtMs: number): void;
  /** Shows a notice about the chat itself. */
  notice(text: string): void;
  /** Sets the function that lists the names of channels, to complete them. */
  setPlaces(places: () => readonly string[]): void;
  /** Calls `listener` with the line that is being typed, after each key. */
  onTyping(listener: (line: string) => void): void;
  /** Rings the bell of the terminal. */
  ring(): void;
  /** Clears what was shown, but not the line that is being typed. */
  clear(): void;
  /** Restores the terminal. Resolves with the exit code when everything is written. */
  finish(): Promise<number>;
}
