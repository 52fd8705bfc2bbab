import type { Client, ReceivedMessage } from '@hearth/sdk';
import { messageJson, messageLine } from './line-format.ts';
import { coveredText, withFiles } from './message-text.ts';

/** The output on which messages are printed, and their style. */
export interface LineStyle {
  readonly isTerminal: boolean;
  readonly asJson: boolean;
}

/**
 * Returns a function that formats a message as a line. On a terminal, the line describes the message's files (OP52)
 * and hides spoilers (OP53).
 * Programs read the text as it was sent. With `channel`, the line names that.
 */
export function lineFormatter(
  { files }: Pick<Client, 'files'>,
  { isTerminal, asJson }: LineStyle,
): (message: ReceivedMessage, receivedAtMs: number, channel?: string) => string {
  const describe = (message: ReceivedMessage) => ({
    ...message,
    content: coveredText(withFiles(message, (address) => files.idOf(address))),
  });
  return (message, receivedAtMs, channel) =>
    asJson
      ? messageJson(message)
      : messageLine(isTerminal ? describe(message) : message, receivedAtMs, channel);
}
