import { REGISTRATION_MODES, type RegistrationMode } from '@hearth/protocol';
import type { Surroundings } from './command.ts';
import { canAsk } from './confirm.ts';
import { OwnerError } from './owner-error.ts';

const DEFAULT: RegistrationMode = 'invite';

const QUESTION = `Who may register an account here? You can change it later in the instance file.
  1  open      everyone
  2  invite    people whom you invite
  3  approval  people whom you approve
  4  closed    nobody
Number or word [${DEFAULT}]: `;

/**
 * Asks the owner who may register, on a terminal; without one nothing is asked. An empty line is the default, and so is the end of
 * the input. Throws OwnerError if the start is cancelled meanwhile.
 */
export async function chooseRegistration(
  surroundings: Surroundings,
  stop: AbortSignal,
): Promise<RegistrationMode | undefined> {
  if (!canAsk(surroundings)) return undefined;
  const { streams, warn } = surroundings;
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: streams.stdin, terminal: false });
  const close = () => lines.close();
  stop.addEventListener('abort', close);
  try {
    warn(QUESTION);
    for await (const line of lines) {
      const mode = modeOf(line);
      if (mode !== undefined) return mode;
      warn(`Please answer with ${REGISTRATION_MODES.join(', ')}, or a number from 1 to 4: `);
    }
    warn('\n');
    if (stop.aborted) throw new OwnerError('the start was cancelled, and nothing was written');
    return DEFAULT;
  } finally {
    stop.removeEventListener('abort', close);
    lines.close();
    streams.stdin.pause();
  }
}

function modeOf(line: string): RegistrationMode | undefined {
  const answer = line.trim().toLowerCase();
  if (answer === '') return DEFAULT;
  const byNumber = /^[1-9]$/.test(answer) ? REGISTRATION_MODES[Number(answer) - 1] : undefined;
  return byNumber ?? REGISTRATION_MODES.find((mode) => mode === answer);
}
