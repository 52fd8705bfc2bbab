/** Returns the answer to the rest of a message; undefined for none. */
export type Command = (rest: string) => string | undefined | Promise<string | undefined>;

/** The bot's commands. A message that begins with such a word is answered. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['!ping', () => 'pong'],
  ['!echo', (rest) => rest || undefined],
]);

/** The answer to a message; undefined if it is not a command. */
export async function answerTo(content: string): Promise<string | undefined> {
  const [word = '', ...rest] = content.trim().split(/\s+/);
  return await commands.get(word)?.(rest.join(' '));
}
