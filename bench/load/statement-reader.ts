/** The types of the messages that name a statement or run it. */
const PARSE = 'P';
const BIND = 'B';
const EXECUTE = 'E';
const SIMPLE_QUERY = 'Q';

const LENGTH_BYTES = 4;

/** Reads which statements a client sends to PostgreSQL on one connection without TLS. */
export class StatementReader {
  /** The first message has no type. */
  #hasBegun = false;
  /** The received part of an incomplete message. */
  #part = Buffer.alloc(0);
  /** Texts of prepared statements, by name; the unnamed one has an empty name. */
  readonly #prepared = new Map<string, string>();
  /** The text of the statement that the next Execute runs. */
  #bound = '';

  /** Takes what the client sent, and returns the texts of the statements that are run by it. */
  take(chunk: Buffer): readonly string[] {
    const run: string[] = [];
    let left = Buffer.concat([this.#part, chunk]);
    for (;;) {
      const typeBytes = this.#hasBegun ? 1 : 0;
      if (left.byteLength < typeBytes + LENGTH_BYTES) break;
      const end = typeBytes + left.readUInt32BE(typeBytes);
      if (left.byteLength < end) break;
      const text = this.#read(
        left.toString('latin1', 0, typeBytes),
        left.toString('utf8', typeBytes + LENGTH_BYTES, end).split('\0'),
      );
      if (text !== undefined) run.push(text);
      this.#hasBegun = true;
      left = left.subarray(end);
    }
    this.#part = left;
    return run;
  }

  /** Reads a message, whose texts end with a zero. Returns the statement that it runs, if any. */
  #read(type: string, [first = '', second = '']: readonly string[]): string | undefined {
    if (type === PARSE) this.#prepared.set(first, second);
    // The portal comes first, and clients use only the unnamed one.
    if (type === BIND) this.#bound = this.#prepared.get(second) ?? '';
    if (type === EXECUTE) return this.#bound;
    return type === SIMPLE_QUERY ? first : undefined;
  }
}
