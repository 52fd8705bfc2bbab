import { helloSchema } from '@hearth/protocol/schemas';
import type { EventReader } from './event-reader.ts';
import { EVENT_HEAD_BYTES, frameBytes, headBytes } from './frame.ts';
import { MESSAGE_BODY } from './message.ts';

/** A place in the stream, up to which a client has every event. */
export interface Place {
  readonly epoch: string;
  readonly position: number;
}

/** The longest frame that may come. */
const MOST_FRAME_BYTES = 1_024;

/** The beginning of every event; its position and a comma follow. */
const EVENT_BEGIN = '{"op":"MESSAGE_CREATE","s":';
const COMMA = 0x2c;
const ZERO = 0x30;
const MOST_DIGITS = 16;

/** A part that every event has. */
const MESSAGE_FIELDS = MESSAGE_BODY.slice(1, -1);

const NOTHING = Buffer.alloc(0);

/**
 * Reads what one client of profile 1 receives: a HELLO, which is not an event, and events. It must cost less than the
 * server, so it counts events by their length, which only grows with the digits of their position. In each chunk it checks
 * only the last event: that must be at the expected place, with the position that the count gives. It compares all of the
 * very first event.
 */
export class ProfileReader implements EventReader {
  /** Resolves when HELLO has come, and rejects if it is not the expected one. */
  readonly greeted: Promise<void>;
  readonly #greeting = Promise.withResolvers<void>();
  readonly #from: Place | undefined;
  #epoch: string | undefined;
  #position = 0;
  #events = 0;
  /** Bytes of an event's frame without the digits of its position; 0 until the first event has come. */
  #plainBytes = 0;
  /** The received part of an incomplete frame. */
  #part: Buffer = NOTHING;

  /** `from` is the place from which the client resumes; a new client has none. */
  constructor(from?: Place) {
    this.#from = from;
    this.greeted = this.#greeting.promise;
    // Nobody may be waiting for it.
    this.greeted.catch(() => {});
  }

  /** The place up to which every event has come. Throws before HELLO. */
  get place(): Place {
    if (this.#epoch === undefined) throw new Error('a client was not greeted');
    return { epoch: this.#epoch, position: this.#position };
  }

  take(chunk: Buffer): number {
    const before = this.#events;
    let at = 0;
    if (this.#part.byteLength > 0) {
      const begun = Buffer.concat([this.#part, chunk.subarray(0, MOST_FRAME_BYTES)]);
      const bytes = frameBytes(begun, 0);
      if (bytes > MOST_FRAME_BYTES && bytes !== Infinity)
        throw new Error('the gateway sent a text that is too long');
      if (bytes > begun.byteLength) {
        this.#part = begun;
        return 0;
      }
      this.#takeFrame(begun.subarray(0, bytes));
      at = bytes - this.#part.byteLength;
    }
    // HELLO and the first event.
    while (this.#plainBytes === 0) {
      const end = at + frameBytes(chunk, at);
      if (end > chunk.byteLength) break;
      this.#takeFrame(chunk.subarray(at, end));
      at = end;
    }
    if (this.#plainBytes > 0) at = this.#takeEvents(chunk, at);
    // A copy, so that the rest of the chunk can be freed.
    this.#part = at === chunk.byteLength ? NOTHING : Buffer.from(chunk.subarray(at));
    return this.#events - before;
  }

  /** Takes all complete events from `at` on, and returns where they end. */
  #takeEvents(chunk: Buffer, at: number): number {
    let begin = at;
    while (begin < chunk.byteLength) {
      const next = this.#position + 1;
      const digits = String(next).length;
      const bytes = this.#plainBytes + digits;
      const count = Math.min(Math.floor((chunk.byteLength - begin) / bytes), 10 ** digits - next);
      if (count === 0) break;
      begin += count * bytes;
      this.#count(count);
      this.#checkEvent(chunk, begin - bytes, bytes);
    }
    return begin;
  }

  #count(events: number): void {
    this.#events += events;
    this.#position += events;
  }

  #takeFrame(frame: Buffer): void {
    if (this.#epoch === undefined) {
      return this.#takeHello(frame.toString('utf8', headBytes(frame, 0)));
    }
    this.#count(1);
    this.#checkEvent(frame, 0, frame.byteLength);
    if (this.#plainBytes > 0) return;
    const text = frame.toString('utf8', EVENT_HEAD_BYTES);
    if (!text.startsWith(EVENT_BEGIN) || !text.includes(MESSAGE_FIELDS)) {
      throw new Error(`the gateway sent something other than the event: ${text}`);
    }
    this.#plainBytes = frame.byteLength - String(this.#position).length;
  }

  /** Checks that the event at the current position is at the expected place. */
  #checkEvent(bytes: Buffer, at: number, length: number): void {
    let position = 0;
    const begin = at + EVENT_HEAD_BYTES + EVENT_BEGIN.length;
    for (let digit = begin; digit < begin + MOST_DIGITS; digit += 1) {
      const byte = bytes[digit] ?? COMMA;
      if (byte === COMMA) break;
      position = position * 10 + byte - ZERO;
    }
    if (position === this.#position && frameBytes(bytes, at) === length) return;
    const found = bytes.toString('utf8', at, at + length);
    throw new Error(`not the event at ${this.#position}: ${found}`);
  }

  #takeHello(text: string): void {
    const place = this.#from === undefined ? newPlace(text) : resumedPlace(text, this.#from);
    if (place === undefined) {
      const error = new Error(`not the HELLO that was asked for: ${text}`);
      this.#greeting.reject(error);
      throw error;
    }
    this.#epoch = place.epoch;
    this.#position = place.position;
    this.#greeting.resolve();
  }
}

function newPlace(text: string): Place | undefined {
  const { epoch, s, recovered } = helloSchema.parse(JSON.parse(text)).d;
  return recovered === null ? { epoch, position: s } : undefined;
}

/** Does not parse the text, because thousands of them come at once during the measurement. */
function resumedPlace(text: string, from: Place): Place | undefined {
  const end = `"epoch":"${from.epoch}","s":${from.position},"recovered":true}}`;
  return text.startsWith('{"op":"HELLO"') && text.endsWith(end) ? from : undefined;
}
