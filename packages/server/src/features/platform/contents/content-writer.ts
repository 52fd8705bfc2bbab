import { inspectContent, planStrip, readPieces, type ContentFacts } from '@hearth/media';
import type { Context } from '../../../context.ts';
import type { BlobWriter } from '../../../ports/blobs/blobs.ts';
import { Sha256 } from '../../../runtime/sha256.ts';
import { BlockWriter } from './block-writer.ts';
import { TextDetector } from './text-detector.ts';

/** A content that is written and inspected, not recorded yet. */
export interface SealedContent {
  readonly blob: BlobWriter;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly facts: ContentFacts;
}

/** Takes a content as it streams in, hashes it and inspects its type; memory does not grow with its size. */
export class ContentWriter {
  readonly #blob: BlobWriter;
  readonly #blocks: BlockWriter;
  readonly #hash = new Sha256();
  readonly #text = new TextDetector();
  #sizeBytes = 0;

  private constructor(blob: BlobWriter) {
    this.#blob = blob;
    this.#blocks = new BlockWriter(blob);
  }

  static async open(ctx: Context): Promise<ContentWriter> {
    return new ContentWriter(await ctx.blobs.create());
  }

  /** Seals what `write` writes. If that fails, nothing is left of it. */
  static async sealed(
    ctx: Context,
    write: (writer: ContentWriter) => Promise<void>,
  ): Promise<SealedContent> {
    const writer = await ContentWriter.open(ctx);
    try {
      await write(writer);
      return await writer.seal();
    } catch (error) {
      await writer.discard();
      throw error;
    }
  }

  /** Bytes taken so far. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Takes the next bytes, which may be reused once the promise is settled. */
  async write(chunk: Uint8Array): Promise<void> {
    this.#sizeBytes += chunk.byteLength;
    this.#hash.update(chunk);
    this.#text.update(chunk);
    await this.#blocks.write(chunk);
  }

  /**
   * Returns a writer of the content without metadata, to be written and sealed in place of this one, which is
   * discarded; or this one, if there is nothing to remove. Nothing can be written to this one any more.
   */
  async stripped(ctx: Context): Promise<ContentWriter> {
    await this.#blocks.end();
    const pieces = await planStrip(this.#blob.path, this.#sizeBytes);
    if (pieces === undefined) return this;
    const other = await ContentWriter.open(ctx);
    try {
      for await (const chunk of readPieces(this.#blob.path, pieces)) await other.write(chunk);
    } catch (error) {
      await other.discard();
      throw error;
    }
    await this.discard();
    return other;
  }

  /** Ends the writing: what was taken survives power loss. */
  async seal(): Promise<SealedContent> {
    await this.#blocks.end();
    await this.#blob.seal();
    return {
      blob: this.#blob,
      sha256: this.#hash.digest(),
      sizeBytes: this.#sizeBytes,
      facts: await inspectContent(this.#blob.path, this.#sizeBytes, this.#text.isText),
    };
  }

  /** Removes what was written. Harmless once the content is recorded. */
  async discard(): Promise<void> {
    await this.#blocks.abandon();
    return this.#blob.discard();
  }
}
