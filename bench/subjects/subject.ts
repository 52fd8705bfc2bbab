import { within } from '../load/within.ts';
import { cpuSeconds, residentBytes } from './process-figures.ts';

/** The time that a starting server may print nothing. */
const SILENCE_MS = 20_000;

/** The ports of a running subject; a yardstick has one port for everything. */
export interface SubjectPorts {
  readonly rest: number;
  /** All REST services, if there are several. */
  readonly rests?: readonly number[];
  readonly gateway: number;
  /** All gateways, if there are several. */
  readonly gateways?: readonly number[];
  readonly files: number;
  /** The port of the web client, which also serves the others, if there is one. */
  readonly web?: number;
}

/** A server that is measured: Hearth, or a yardstick. */
export interface Subject {
  readonly name: string;
  /** Starts it in its own process. Resolves when it answers. */
  readonly start: () => Promise<RunningSubject>;
}

/** A subject's processes. Disposal ends them and removes their files. */
export class RunningSubject implements AsyncDisposable {
  readonly ports: SubjectPorts;
  readonly #pids: readonly number[];
  readonly #resources: AsyncDisposable;

  /** `pids` are the processes that are measured. Disposing of `resources` ends all of the subject's processes. */
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

/** Resolves with the first line of `output` that `pattern` matches. Throws if the output ends or stops without one. */
export async function lineLike(
  output: ReadableStream<Uint8Array>,
  pattern: RegExp,
): Promise<RegExpExecArray> {
  const decoder = new TextDecoder();
  const reader = output.getReader();
  let said = '';
  const next = () =>
    within(SILENCE_MS, reader.read(), () => 'the line that says that a server listens');
  for (let chunk = await next(); !chunk.done; chunk = await next()) {
    said += decoder.decode(chunk.value, { stream: true });
    const found = pattern.exec(said);
    if (found === null) continue;
    void readOn(reader);
    return found;
  }
  throw new Error(`a server ended before it listened: ${said}`);
}

// If nobody reads its output, a process stops when the pipe is full.
async function readOn(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}
