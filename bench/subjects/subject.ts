import { within } from '../load/within.ts';
import { cpuSeconds, residentBytes } from './process-figures.ts';

/** How long a server may be silent when it starts. */
const SILENCE_MS = 20_000;

/** Where a running subject is reached; a yardstick has one address for everything. */
export interface SubjectPorts {
  readonly rest: number;
  readonly gateway: number;
  /** Where there are several gateways, all of them. */
  readonly gateways?: readonly number[];
  readonly files: number;
}

/** A server that is measured: ours, or a yardstick. */
export interface Subject {
  readonly name: string;
  /** Starts it in a process of its own; resolves when it answers. */
  readonly start: () => Promise<RunningSubject>;
}

/** A subject's processes. Disposal ends them and removes what they left. */
export class RunningSubject implements AsyncDisposable {
  readonly ports: SubjectPorts;
  readonly #pids: readonly number[];
  readonly #resources: AsyncDisposable;

  /** Of `pids`, the processes that are measured; `resources` end all when they are disposed of. */
  constructor(pids: readonly number[], ports: SubjectPorts, resources: AsyncDisposable) {
    this.#pids = pids;
    this.ports = ports;
    this.#resources = resources;
  }

  /** CPU seconds that they have used so far. */
  get cpuSeconds(): number {
    return this.#pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  }

  /** Their resident memory, in bytes. */
  get residentBytes(): number {
    return this.#pids.reduce((sum, pid) => sum + residentBytes(pid), 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources[Symbol.asyncDispose]();
  }
}

/** Resolves with the first line of `output` that `pattern` matches. Throws where it ends without one, or is silent. */
export async function lineLike(
  output: ReadableStream<Uint8Array>,
  pattern: RegExp,
): Promise<RegExpExecArray> {
  const decoder = new TextDecoder();
  const reader = output.getReader();
  let said = '';
  const next = () => within(SILENCE_MS, reader.read(), () => 'the word that a server listens');
  for (let chunk = await next(); !chunk.done; chunk = await next()) {
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
