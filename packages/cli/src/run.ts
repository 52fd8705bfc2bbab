import { ConfigError, errorMessage, HEARTH_VERSION, likelyWord, StartError } from '@hearth/server';
import type { Surroundings } from './command.ts';
import { COMMANDS } from './commands.ts';
import { OwnerError, UsageError } from './owner-error.ts';
import { inFull, MisuseError, parse, UnknownWordError, type Outcome } from './parse.ts';
import { helpText, usageLine } from './usage.ts';

const DONE = 0;
const FAILED = 1;
const MISUSED = 2;

/** Runs a command line. Resolves with the exit code. */
export async function run(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const { print, warn } = surroundings;
  const outcome = parseOrExplain(words, warn);
  switch (outcome?.kind) {
    case undefined:
      return MISUSED;
    case 'nothing':
      warn(helpText(outcome.place));
      return MISUSED;
    case 'help':
      print(helpText(outcome.place));
      return DONE;
    case 'version':
      print(`hearth ${HEARTH_VERSION}\n`);
      return DONE;
    case 'run':
      return runCommand(outcome, surroundings);
  }
}

function parseOrExplain(words: readonly string[], warn: Surroundings['warn']): Outcome | undefined {
  try {
    return parse(COMMANDS, words);
  } catch (error) {
    if (error instanceof UnknownWordError) {
      warn(`hearth: ${error.message}; ${hintFor(error)}\n`);
    } else if (error instanceof MisuseError) {
      warn(`hearth: ${error.message}\n${usageLine(error.place)}\n`);
    } else {
      throw error;
    }
    return undefined;
  }
}

function hintFor({ place, word, known }: UnknownWordError): string {
  const likely = likelyWord(word, known);
  if (likely !== undefined) return `did you mean "${inFull(place, likely)}"?`;
  return `see ${['hearth', ...place.words, '--help'].join(' ')}`;
}

async function runCommand(
  { place, invocation }: Extract<Outcome, { kind: 'run' }>,
  surroundings: Surroundings,
): Promise<number> {
  try {
    return await place.node.run(invocation, surroundings);
  } catch (error) {
    if (error instanceof UsageError) {
      surroundings.warn(`hearth: ${error.message}\n${usageLine(place)}\n`);
      return MISUSED;
    }
    const lines = failureLines(error, place.words.join(' '));
    surroundings.warn(lines.map((line) => `hearth: ${line}\n`).join(''));
    const isDebugging = ['debug', 'trace'].includes(surroundings.env['LOG_LEVEL'] ?? '');
    // OP6: mistakes that the owner can fix are printed the same at every level.
    if (isDebugging && !isExpected(error)) {
      const { inspect } = await import('node:util');
      surroundings.warn(`${inspect(error)}\n`);
    }
    return FAILED;
  }
}

function failureLines(error: unknown, operation: string): readonly string[] {
  if (error instanceof ConfigError) return error.mistakes;
  const line = errorMessage(error).replaceAll(/\s*\n\s*/g, ' ');
  return [isExpected(error) ? line : `${operation} failed: ${line}`];
}

function isExpected(error: unknown): boolean {
  return error instanceof ConfigError || error instanceof OwnerError || StartError.is(error);
}
