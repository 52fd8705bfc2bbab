import { spawn } from 'bun';

/** A program that runs until it is disposed, and what it says. */
export interface Program extends AsyncDisposable {
  /** Resolves when a line has been said that contains `text`. */
  says(text: string): Promise<void>;
}

/** Starts a program; what it writes to its standard error goes to ours. */
export function startProgram(command: readonly string[]): Program {
  const child = spawn([...command], { stdio: ['ignore', 'pipe', 'inherit'] });
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let said = '';
  return {
    async says(text) {
      while (!said.includes(text)) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`it ended and had said ${JSON.stringify(said)}`);
        said += value;
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}
