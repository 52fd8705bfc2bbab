import { parseInput, ValidationError } from '@hearth/protocol';
import type { ZodObject, ZodType } from 'zod';
import { within } from '../lib/within.ts';

/** The part of an unwanted body that is taken before its refusal is sent, and the time for that. */
export interface DrainBounds {
  readonly bytes: number;
  readonly totalMs: number;
  readonly silenceMs: number;
}

// FS17: a photograph of 50 MB needs half a minute on a usual line.
const DRAIN: DrainBounds = { bytes: 256 * 1024 * 1024, totalMs: 30_000, silenceMs: 1_000 };

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The bytes of a whole body. */
export type BodyBytes = ArrayBuffer | Uint8Array;

/**
 * The bytes of a body as JSON, whatever its Content-Type says, parsed by `schema`. Throws ValidationError naming the
 * field, or `body` if it is not a JSON object at all (Errors).
 */
export function parseJsonBody<Output>(bytes: BodyBytes, schema: ZodType<Output>): Output {
  return parseInput(schema, parseObject(bytes));
}

/**
 * The query of a URL, parsed by `schema`. If a parameter is given twice, the first one counts. Throws ValidationError
 * naming the parameter.
 */
export function parseQuery<Output>(url: string, schema: ZodType<Output>): Output {
  const at = url.indexOf('?');
  const given = [...new URLSearchParams(at === -1 ? '' : url.slice(at))];
  return parseInput(schema, Object.fromEntries(given.toReversed()));
}

/** Returns the headers of a request that `schema` names, parsed by it. Throws ValidationError naming the header. */
export function parseHeaders(request: Request, schema: ZodObject): object {
  const names = Object.keys(schema.shape);
  const given = names.map((name) => [name, request.headers.get(name) ?? undefined]);
  return parseInput<object>(schema, Object.fromEntries(given));
}

/** The body of a request, of which at most `maxBytes` are read. Rejects with ValidationError if it has more. */
export function readBody(request: Request, maxBytes: number): Promise<BodyBytes> {
  const announced = contentLength(request);
  if (announced === undefined) return readBounded(request, maxBytes);
  return announced > maxBytes ? Promise.reject(tooLarge(maxBytes)) : request.arrayBuffer();
}

/** The `Content-Length` of a request, or undefined if it is missing or not a number. */
export function contentLength(request: Request): number | undefined {
  const header = request.headers.get('content-length');
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}

/**
 * Takes what the client is still sending, within bounds, so that a client which writes before it reads sees the
 * answer: the runtime cuts the connection when an answer ends before its request. Never throws.
 */
export async function drain(
  reader: { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }> },
  bounds: DrainBounds = DRAIN,
): Promise<void> {
  const endsAt = performance.now() + bounds.totalMs;
  let left = bounds.bytes;
  while (left > 0 && performance.now() < endsAt) {
    const chunk = await within(reader.read(), bounds.silenceMs);
    if (chunk === undefined || chunk.done) return;
    left -= chunk.value?.byteLength ?? 0;
  }
}

/** Drains the body of a request that is answered without it being read. */
export async function drainUnread(request: Request): Promise<void> {
  if (request.bodyUsed || request.body === null || request.body.locked) return;
  await drain(request.body.getReader());
}

function parseObject(bytes: BodyBytes): object {
  const value = parseJson(decodeText(bytes));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new ValidationError('body', 'must be a JSON object');
}

function decodeText(bytes: BodyBytes): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ValidationError('body', 'must be UTF-8 text');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ValidationError('body', 'must be JSON');
  }
}

async function readBounded({ body }: Request, maxBytes: number): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    size += chunk.value.byteLength;
    if (size > maxBytes) {
      await drain(reader);
      throw tooLarge(maxBytes);
    }
    chunks.push(chunk.value);
  }
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): ValidationError {
  return new ValidationError('body', `must be at most ${maxBytes} bytes`);
}
