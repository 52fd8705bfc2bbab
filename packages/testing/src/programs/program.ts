import { spawn } from 'bun';

/** A program that runs until disposal, and its output. */
export interface Program extends AsyncDisposable {
  /** Resolves when the program has printed a line that contains `text`. */
  says(text: string): Promise<void>;
}

/** Starts a program. Its standard error goes to ours. */
export function startProgram(command: readonly string[]): Program {
  const child = spawn([...command], { stdio: ['ignore', 'pipe', 'inherit'] });
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let said = '';
  return {
    async says(text) {
      while (!said.includes(text)) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`the program ended after printing ${JSON.stringify(said)}`);
        said += value;
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}
