import { cpuSeconds, residentBytes } from './process-figures.ts';

/** Where a running subject is reached; a yardstick has one address for everything. */
export interface SubjectPorts {
  readonly rest: number;
  readonly gateway: number;
  readonly files: number;
}

/** A server that is measured: ours, or a yardstick. */
export interface Subject {
  readonly name: string;
  /** Starts it in a process of its own; resolves when it answers. */
  readonly start: () => Promise<RunningSubject>;
}

/** A subject's process. Disposal ends it and removes what it left. */
export class RunningSubject implements AsyncDisposable {
  readonly ports: SubjectPorts;
  readonly #process: Bun.Subprocess;
  readonly #cleanUp: () => Promise<void>;

  constructor(process: Bun.Subprocess, ports: SubjectPorts, cleanUp = async () => {}) {
    this.#process = process;
    this.ports = ports;
    this.#cleanUp = cleanUp;
  }

  /** CPU seconds that it has used so far. */
  get cpuSeconds(): number {
    return cpuSeconds(this.#process.pid);
  }

  /** Its resident memory, in bytes. */
  get residentBytes(): number {
    return residentBytes(this.#process.pid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill('SIGTERM');
    await this.#process.exited;
    await this.#cleanUp();
  }
}

/** Resolves with the first line of `output` that `pattern` matches. Throws where it ends without one. */
export async function lineLike(
  output: ReadableStream<Uint8Array>,
  pattern: RegExp,
): Promise<RegExpExecArray> {
  const decoder = new TextDecoder();
  const reader = output.getReader();
  let said = '';
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    said += decoder.decode(chunk.value, { stream: true });
    const found = pattern.exec(said);
    if (found === null) continue;
    void readOn(reader);
    return found;
  }
  throw new Error(`a server ended before it listened: ${said}`);
}

// A process that nobody reads would wait for it once the pipe is full.
async function readOn(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}
