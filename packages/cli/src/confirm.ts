import type { Surroundings } from './command.ts';

/** Returns whether a person can be asked: on a terminal. */
export function canAsk({ streams: { stdin, stderr } }: Surroundings): boolean {
  return stdin.isTTY && stderr.isTTY;
}

/** Asks a question that is answered with yes or no, which is the default. */
export async function confirm(
  question: string,
  { streams, warn }: Pick<Surroundings, 'streams' | 'warn'>,
): Promise<boolean> {
  warn(`${question} [y/N] `);
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: streams.stdin, terminal: false });
  try {
    for await (const line of lines) return /^y(es)?$/i.test(line.trim());
    // The input has ended in the middle of the line.
    warn('\n');
    return false;
  } finally {
    lines.close();
    streams.stdin.pause();
  }
}
