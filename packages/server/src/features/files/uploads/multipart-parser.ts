/** A piece of a multipart body, in order: a part's head, then its data, until the next head or the end. */
export type MultipartEvent =
  | { readonly type: 'head'; readonly head: string }
  | { readonly type: 'data'; readonly data: Uint8Array };

/** The reason why a body is not a multipart form. */
export class MultipartError extends Error {}

type State = 'preamble' | 'delimited' | 'head' | 'data' | 'epilogue';

const CR = 13;
const DASHES = '--';
const LINE_END = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');

/** Longest head of a part, in bytes. */
const MAX_HEAD_BYTES = 16 * 1024;

/**
 * Matches what may stand between a delimiter and its line end (RFC 2046): a bounded run of blanks; the line end may be
 * cut off.
 */
const PADDING = /^([ \t]{0,256})(\r\n|\r?$)/;
const PADDED_LINE_END_BYTES = 256 + LINE_END.length;

/**
 * Splits a multipart body while it arrives, whatever the chunks it comes in (RFC 2046, RFC 7578). Holds back at most
 * one head or one unfinished delimiter. Data events share the memory of the chunk they came in.
 */
export class MultipartParser {
  readonly #delimiter: Buffer;
  #state: State = 'preamble';
  /** Bytes that cannot be assigned yet. The first delimiter has no line end before it, so this starts with one. */
  #held: Buffer = LINE_END;
  #overheadBytes = -LINE_END.length;

  /** `boundary` is that of the Content-Type. */
  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /** Bytes so far that were not data of a part. */
  get overheadBytes(): number {
    return this.#overheadBytes;
  }

  /**
   * Bytes of the shortest end that clients send after a part's data; RFC 2046 would allow them to leave the line end
   * out.
   */
  get closingBytes(): number {
    return this.#delimiter.length + DASHES.length + LINE_END.length;
  }

  /** The events of the next chunk. Throws MultipartError. */
  *push(chunk: Uint8Array): Generator<MultipartEvent> {
    let rest: Buffer | undefined = this.#withHeld(chunk);
    while (rest !== undefined && rest.length > 0) {
      switch (this.#state) {
        case 'preamble':
        case 'data': {
          const found: number = rest.indexOf(this.#delimiter);
          const dataEnd: number = found === -1 ? this.#possibleDelimiter(rest) : found;
          if (this.#state === 'preamble') this.#overheadBytes += dataEnd;
          else if (dataEnd > 0) yield { type: 'data', data: rest.subarray(0, dataEnd) };
          rest =
            found === -1 ? this.#hold(rest.subarray(dataEnd)) : this.#passDelimiter(rest, found);
          break;
        }
        case 'delimited':
          rest = this.#readDelimiterEnd(rest);
          break;
        case 'head': {
          // The delimiter's own line end was left in `rest`, so that an empty head ends like any other.
          const end: number | undefined = headEnd(rest);
          if (end === undefined) {
            rest = this.#hold(rest);
            break;
          }
          const head: string = rest.toString('utf8', 0, end);
          rest = this.#pass(rest, end + HEAD_END.length, 'data');
          yield { type: 'head', head };
          break;
        }
        case 'epilogue':
          this.#overheadBytes += rest.length;
          return;
      }
    }
  }

  /** To be called when the body has ended. Throws MultipartError if it ended too early. */
  end(): void {
    if (this.#state !== 'epilogue') throw new MultipartError('the form ends too early');
  }

  #withHeld(chunk: Uint8Array): Buffer {
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    const view = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    return held.length === 0 ? view : Buffer.concat([held, view]);
  }

  #hold(rest: Buffer): undefined {
    // A copy, because the chunk's memory is not ours to keep.
    this.#held = Buffer.from(rest);
    return undefined;
  }

  #pass(rest: Buffer, bytes: number, next: State): Buffer {
    this.#overheadBytes += bytes;
    this.#state = next;
    return rest.subarray(bytes);
  }

  #passDelimiter(rest: Buffer, found: number): Buffer {
    return this.#pass(rest.subarray(found), this.#delimiter.length, 'delimited');
  }

  /** Returns where an unfinished delimiter begins at the end of `rest`, or its length. */
  #possibleDelimiter(rest: Buffer): number {
    const earliest = Math.max(0, rest.length - this.#delimiter.length + 1);
    for (let at = rest.indexOf(CR, earliest); at !== -1; at = rest.indexOf(CR, at + 1)) {
      if (this.#delimiter.subarray(0, rest.length - at).equals(rest.subarray(at))) return at;
    }
    return rest.length;
  }

  #readDelimiterEnd(rest: Buffer): Buffer | undefined {
    if (rest.length < DASHES.length) return this.#hold(rest);
    if (rest.toString('latin1', 0, DASHES.length) === DASHES) {
      return this.#pass(rest, DASHES.length, 'epilogue');
    }
    const [, padding, lineEnd] =
      PADDING.exec(rest.toString('latin1', 0, PADDED_LINE_END_BYTES)) ?? [];
    if (padding === undefined) throw new MultipartError('the form has a malformed delimiter');
    return lineEnd === '\r\n' ? this.#pass(rest, padding.length, 'head') : this.#hold(rest);
  }
}

/** Returns where the head at the start of `rest` ends, or undefined if its end has not arrived. */
function headEnd(rest: Buffer): number | undefined {
  const end = rest.indexOf(HEAD_END);
  const earliest = end === -1 ? rest.length - HEAD_END.length + 1 : end;
  if (earliest > MAX_HEAD_BYTES) throw new MultipartError('the head of a part is too long');
  return end === -1 ? undefined : end;
}
