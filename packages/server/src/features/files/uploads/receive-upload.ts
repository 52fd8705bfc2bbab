import { FileSizeRateLimitedError, ValidationError } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Verdict } from '../../../ports/limiter/limiter.ts';
import { ContentWriter, type SealedContent } from '../../platform/contents/contents.ts';
import { ByteAllowance } from './byte-allowance.ts';
import { MultipartError, MultipartParser, type MultipartEvent } from './multipart-parser.ts';
import { formBoundary, parseFormBoolean, readPartHead, type Part } from './part-head.ts';

/** Bytes that everything but the file itself may take in total. */
const MAX_OVERHEAD_BYTES = 64 * 1024;

/** An upload as it comes in. */
export interface IncomingUpload {
  readonly contentType: string | null;
  /** Bytes announced, or undefined if the body is chunked. */
  readonly contentLength: number | undefined;
  readonly body: AsyncIterable<Uint8Array>;
  /** The count of the request. */
  readonly verdict: Verdict;
}

/** A form that was taken whole: its bytes are reserved in the client's window until they are billed or returned. */
export interface ReceivedUpload {
  readonly name: string;
  readonly spoiler: boolean;
  readonly sealed: SealedContent;
  readonly allowance: ByteAllowance;
}

/**
 * Takes an upload form as it streams in; its parts may come in any order (File service: Upload form fields). Throws
 * ValidationError naming the field, and FileSizeRateLimitedError (Limits rule 2); nothing is left then.
 */
export async function receiveUpload(
  ctx: Context,
  _actor: Actor,
  upload: IncomingUpload,
): Promise<ReceivedUpload> {
  const boundary = formBoundary(upload.contentType);
  if (boundary === undefined) throw new ValidationError('body', 'must be a multipart form');
  refuseEarly(ctx, upload);
  const { verdict, contentLength } = upload;
  const allowance = await ByteAllowance.open(ctx.limiter, verdict, contentLength ?? 0);
  const form = new FormReceiver(ctx, allowance, { boundary, contentLength });
  try {
    for await (const chunk of upload.body) await form.take(chunk);
    return { ...(await form.finish()), allowance };
  } catch (error) {
    try {
      await form.discard();
    } finally {
      await allowance.giveBack();
    }
    throw error instanceof MultipartError ? new ValidationError('body', error.message) : error;
  }
}

/** The bytes that the file of an upload has at least, as far as its length is announced. */
export function leastFileBytes({ contentLength = 0 }: IncomingUpload): number {
  return contentLength - MAX_OVERHEAD_BYTES;
}

function refuseEarly(ctx: Context, upload: IncomingUpload): void {
  const { verdict } = upload;
  const leastBytes = leastFileBytes(upload);
  if (leastBytes > ctx.settings.files.attachmentSizeBytes) throw tooLarge(ctx);
  // Other uploads may still return what they hold at the moment.
  const mostBytesLeft = (verdict.policy.byteLimit ?? Infinity) - verdict.sentBytes;
  if (leastBytes > mostBytesLeft) {
    throw new FileSizeRateLimitedError(verdict.retryAfterMs, verdict.bytesLeft);
  }
}

function tooLarge(ctx: Context): ValidationError {
  const { attachmentSizeBytes } = ctx.settings.files;
  return new ValidationError('file', `must be at most ${attachmentSizeBytes} bytes`);
}

function severalFiles(): ValidationError {
  return new ValidationError('file', 'must be one file only');
}

/** The Boolean fields of the form. */
type Flag = 'spoiler' | 'strip';

class FormReceiver {
  readonly #ctx: Context;
  readonly #allowance: ByteAllowance;
  readonly #parser: MultipartParser;
  readonly #contentLength: number | undefined;
  #part: Part = { type: 'ignored' };
  #file: { readonly name: string; readonly writer: ContentWriter } | undefined;
  /** The values of the Boolean fields, as far as they came. */
  readonly #flags = new Map<Flag, Uint8Array[]>();
  #otherBytes = 0;

  constructor(
    ctx: Context,
    allowance: ByteAllowance,
    form: { boundary: string; contentLength: number | undefined },
  ) {
    this.#ctx = ctx;
    this.#allowance = allowance;
    this.#parser = new MultipartParser(form.boundary);
    this.#contentLength = form.contentLength;
  }

  async take(chunk: Uint8Array): Promise<void> {
    for (const event of this.#parser.push(chunk)) await this.#takeEvent(event);
    this.#boundOverhead();
  }

  async finish(): Promise<{ name: string; spoiler: boolean; sealed: SealedContent }> {
    this.#parser.end();
    if (this.#file === undefined) throw new ValidationError('file', 'is required');
    const { name, writer } = this.#file;
    if (writer.sizeBytes === 0) throw new ValidationError('file', 'must not be empty');
    const [spoiler, strip] = [this.#readFlag('spoiler'), this.#readFlag('strip')];
    if (!strip) return { name, spoiler, sealed: await writer.seal() };
    const stripped = await writer.stripped(this.#ctx);
    this.#file = { name, writer: stripped };
    return { name, spoiler, sealed: await stripped.seal() };
  }

  async discard(): Promise<void> {
    await this.#file?.writer.discard();
  }

  async #takeEvent(event: MultipartEvent): Promise<void> {
    if (event.type === 'head') await this.#beginPart(readPartHead(event.head));
    else if (this.#part.type === 'file') await this.#takeFileBytes(event.data);
    else this.#takeOtherBytes(event.data);
  }

  async #beginPart(part: Part): Promise<void> {
    this.#part = part;
    if (part.type === 'spoiler' || part.type === 'strip') this.#flags.set(part.type, []);
    if (part.type === 'several-files') throw severalFiles();
    if (part.type !== 'file') return;
    if (this.#file !== undefined) throw severalFiles();
    this.#file = { name: part.name, writer: await ContentWriter.open(this.#ctx) };
    if (this.#contentLength === undefined) return;
    const taken = this.#parser.overheadBytes + this.#otherBytes + this.#parser.closingBytes;
    await this.#allowance.shrinkTo(this.#contentLength - taken);
  }

  async #takeFileBytes(data: Uint8Array): Promise<void> {
    if (this.#file === undefined) return;
    const { writer } = this.#file;
    const { attachmentSizeBytes } = this.#ctx.settings.files;
    if (writer.sizeBytes + data.byteLength > attachmentSizeBytes) throw tooLarge(this.#ctx);
    await this.#allowance.spend(data.byteLength);
    await writer.write(data);
  }

  #takeOtherBytes(data: Uint8Array): void {
    this.#otherBytes += data.byteLength;
    this.#boundOverhead();
    // A copy, because the chunk's memory is not ours to keep.
    const { type } = this.#part;
    if (type === 'spoiler' || type === 'strip') this.#flags.get(type)?.push(Uint8Array.from(data));
  }

  #boundOverhead(): void {
    if (this.#parser.overheadBytes + this.#otherBytes <= MAX_OVERHEAD_BYTES) return;
    throw new ValidationError(
      'body',
      `must have at most ${MAX_OVERHEAD_BYTES} bytes besides the file`,
    );
  }

  #readFlag(name: Flag): boolean {
    const chunks = this.#flags.get(name);
    if (chunks === undefined) return false;
    const flag = parseFormBoolean(Buffer.concat(chunks).toString());
    if (flag === undefined) throw new ValidationError(name, 'must be true or false');
    return flag;
  }
}
