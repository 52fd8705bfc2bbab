import type { FirstSettings } from '@hearth/server';
import type { Surroundings } from './command.ts';
import { canAsk } from './confirm.ts';
import { WHO_COMES_IN, WHO_USES_LOBBY, type Choice, type Question } from './doors.ts';
import { OwnerError } from './owner-error.ts';

const PREFACE = 'Two questions. You can change the answers later in the instance file.\n';

/**
 * Asks the owner who may register and who may use the lobby, on a terminal; without one nothing is asked. An empty line is the
 * default, and so is the end of the input. Throws OwnerError if the start is cancelled meanwhile.
 */
export async function chooseDoors(
  surroundings: Surroundings,
  stop: AbortSignal,
): Promise<Partial<FirstSettings> | undefined> {
  if (!canAsk(surroundings)) return undefined;
  const { streams, warn } = surroundings;
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: streams.stdin, terminal: false });
  const close = () => lines.close();
  stop.addEventListener('abort', close);
  const typed = lines[Symbol.asyncIterator]();
  const ask = async (question: Question): Promise<Choice['sets']> => {
    warn(textOf(question));
    for (;;) {
      const { value, done } = await typed.next();
      if (done === true) break;
      const choice = choiceOf(question, value);
      if (choice !== undefined) return choice.sets;
      warn(`Please answer with a number from 1 to ${question.choices.length}: `);
    }
    warn('\n');
    if (stop.aborted) throw new OwnerError('the start was cancelled, and nothing was written');
    return question.choices[0].sets;
  };
  try {
    warn(PREFACE);
    return { ...(await ask(WHO_COMES_IN)), ...(await ask(WHO_USES_LOBBY)) };
  } finally {
    stop.removeEventListener('abort', close);
    lines.close();
    streams.stdin.pause();
  }
}

function textOf({ text, choices }: Question): string {
  const lines = choices.map((choice, at) => `  ${at + 1}  ${choice.text}\n`);
  return `\n${text}\n${lines.join('')}Number [1]: `;
}

function choiceOf({ choices }: Question, line: string): Choice | undefined {
  const answer = line.trim().toLowerCase();
  if (answer === '') return choices[0];
  return choices.find(({ word }, at) => answer === word || answer === String(at + 1));
}
