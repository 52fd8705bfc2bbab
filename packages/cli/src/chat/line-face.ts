import type { ReceivedMessage } from '@hearth/sdk';
import type { Surroundings } from '../command.ts';
import { printable } from '../text.ts';
import type { Face } from './face.ts';
import { editedLine, messageLine, removalNotice } from './line-format.ts';
import { LineWriter } from './line-writer.ts';

const BELL = '\u0007';

/** A chat that writes line by line: in pipes, to files, and on terminals whose cursor cannot be moved. */
export class LineFace implements Face {
  readonly isInteractive: boolean;
  readonly typed: AsyncIterator<string, undefined>;
  readonly #output: LineWriter;
  readonly #warn: (text: string) => void;

  /** Lines longer than `longestLine` are cut. */
  constructor({ streams, warn }: Surroundings, longestLine: number) {
    this.isInteractive = streams.stdin.isTTY && streams.stdout.isTTY;
    this.typed = linesOf(streams.stdin, longestLine);
    this.#output = new LineWriter(streams.stdout);
    this.#warn = warn;
  }

  get left(): AbortSignal {
    return this.#output.ended;
  }

  setPrompt(prompt: string): void {
    // Messages would push the prompt away, so only questions are printed.
    if (this.isInteractive && prompt.endsWith(': ')) this.#output.write(prompt);
  }

  show(message: ReceivedMessage, receivedAtMs: number): void {
    this.#output.write(messageLine(message, receivedAtMs));
  }

  update(message: ReceivedMessage, receivedAtMs: number): void {
    if (this.isInteractive) this.#output.write(editedLine(message, receivedAtMs));
  }

  remove(message: ReceivedMessage, receivedAtMs: number): void {
    // A program cannot take back a line that it has read.
    if (this.isInteractive) this.notice(removalNotice(message, receivedAtMs));
  }

  notice(text: string): void {
    for (const line of text.split('\n')) this.#warn(`hearth: ${printable(line)}\n`);
  }

  setPlaces(): void {
    // Nothing is completed here.
  }

  onTyping(): void {
    // A line comes when it is complete.
  }

  ring(): void {
    if (this.isInteractive) this.#output.write(BELL);
  }

  clear(): void {
    this.notice('this terminal cannot be cleared');
  }

  finish(): Promise<number> {
    return this.#output.finish(this.#warn);
  }
}

/** Yields the lines of `stream`. A line longer than `longest` is cut, to at least that length. */
async function* linesOf(
  stream: AsyncIterable<Uint8Array | string>,
  longest: number,
): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let held = '';
  let isCut = false;
  for await (const chunk of stream) {
    held += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const lines = held.split(/\r?\n/);
    held = lines.pop() ?? '';
    for (const line of lines) {
      if (!isCut) yield line;
      isCut = false;
    }
    if (held.length > longest) {
      if (!isCut) yield held;
      isCut = true;
      held = '';
    }
  }
  held += decoder.decode();
  if (held !== '' && !isCut) yield held;
  return undefined;
}
