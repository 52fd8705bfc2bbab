import { spawn } from 'bun';

/** A program that runs until disposal, and its output. */
export interface Program extends AsyncDisposable {
  /** Resolves when the program has printed a line that contains `text`. */
  says(text: string): Promise<void>;
  /** Sends SIGTERM, or another signal, at once. Resolves with the exit code. */
  stop(signal?: 'SIGINT' | 'SIGTERM'): Promise<number>;
}

/** The folder and the environment in which a program runs; those of this process by default. */
export interface ProgramOptions {
  readonly cwd?: string;
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a program. Its standard error goes to ours. */
export function startProgram(
  command: readonly string[],
  { cwd, env }: ProgramOptions = {},
): Program {
  const child = spawn([...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, ...env },
  });
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
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return child.exited;
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}
