import { findProgram } from '../../find-program.ts';
import { WITH_ITS_PARENT } from './process-group.ts';

/** The path of the X server that draws into memory. */
export const XVFB_PATH = findProgram(['Xvfb'], ['/usr/bin']);

/** A screen that nobody sees. */
export interface Screen extends AsyncDisposable {
  /** Its name for programs. */
  readonly display: string;
}

/** Starts a screen under a free number, which the server chooses. */
export async function startScreen(): Promise<Screen> {
  if (XVFB_PATH === undefined) throw new Error('there is no Xvfb');
  const command = ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'];
  const child = Bun.spawn([...WITH_ITS_PARENT, XVFB_PATH, ...command], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const reader = child.stdout.getReader();
  let number = '';
  while (!number.endsWith('\n')) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`Xvfb ended with ${await child.exited}`);
    number += new TextDecoder().decode(value);
  }
  return {
    display: `:${number.trim()}`,
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}
