import { NotFoundError } from '@hearth/protocol';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import type { BlobKey, BlobPlace, DiskPlace, RemotePlace } from '../ports/blobs/blobs.ts';
import type { Change } from '../ports/database/database.ts';
import { fileInMemory, isFileWhole } from '../runtime/file-body.ts';
import { beginTransfer } from './begin-transfer.ts';
import type { Answer } from './caller.ts';
import { LimitedHeaders } from './limited-headers.ts';
import { limitedRoute, type CountedRequest, type Respond } from './limited-route.ts';
import { limitHeaders } from './limited.ts';
import { pathBelow, requestPath } from './path.ts';
import { RemoteBytes } from './remote-bytes.ts';
import {
  serveContent,
  wholeContentHeaders,
  type DescribedContent,
  type ServedContent,
} from './serve-content.ts';

/** A content that is kept, and how it is served. */
export interface StoredContent extends DescribedContent {
  readonly blobKey: BlobKey;
  readonly sizeBytes: number;
  /** Makes a content that can be made again, if its bytes are lost. */
  readonly makeAgain?: (() => Promise<StoredContent>) | undefined;
}

/** The bytes of a content are lost. */
class ContentGoneError extends NotFoundError {}

/** Larger files are left to the system's cache, which is as fast with them; larger contents of S3 are never kept. */
const HOT_FILE_BYTES = 256 * 1024;
const HOT_BYTES = 32 * 1024 * 1024;

/** A remembered answer, and the content that it belongs to. */
interface HotAnswer {
  readonly answer: Answer;
  readonly blobKey: BlobKey;
}

/** About what a remembered answer takes besides its file. */
const ANSWER_BYTES = 8 * 1024;

/**
 * Serves contents. Small ones that are requested again are answered from memory, without router, database and file
 * system, until the content or what refers to it is changed. {@link HOT_BYTES} bound what that takes. If contents are
 * on another machine, the same number of bytes again bounds what is kept of them for longer.
 */
export class StoredContents {
  readonly #ctx: Context;
  readonly #answers = new LRUCache<string, HotAnswer>({ maxSize: HOT_BYTES });
  readonly #remoteBytes = new RemoteBytes(HOT_BYTES);
  /** Counts changes. */
  #changes = 0;
  #hasLooked = false;
  #isCertain = false;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    ctx.database.onChange((changes) => this.#forget(changes));
  }

  /** The answer to GET of `path`, if it was served before and has not changed. */
  answerTo(path: string): Answer | undefined {
    // Once in a turn of the event loop, because checking takes a tenth of the time of an answer: a request of this
    // turn was made before the turn began, so it cannot expect what was committed since.
    if (!this.#hasLooked) {
      this.#hasLooked = true;
      setImmediate(() => {
        this.#hasLooked = false;
      });
      this.#isCertain = this.#ctx.database.hearChanges();
    }
    return this.#isCertain ? this.#answers.get(path)?.answer : undefined;
  }

  /**
   * Answers GET of the content that `find` returns. Throws what `find` throws, RangeNotSatisfiableError, and
   * NotFoundError if the content's bytes are missing: they were removed a moment ago, or they are lost, which the log
   * reports.
   */
  async serve(counted: CountedRequest, find: () => Promise<StoredContent>): Promise<Response> {
    const { database } = this.#ctx;
    const isCertain = database.hearChanges();
    const changes = this.#changes;
    const content = await find();
    const { blobKey } = content;
    const { respond, bytes } = await this.#prepare(content, counted);
    // A remembered answer is given to everyone, so it must be one that a guest may have. If something has changed
    // meanwhile, what was found may be outdated.
    const isForAll = counted.actor.kind === 'guest';
    if (isForAll && isCertain && database.hearChanges() && changes === this.#changes) {
      const answer = limitedRoute(this.#ctx, 'fetch_file', respond);
      const size = ANSWER_BYTES + (bytes?.size ?? 0);
      const path = pathBelow(counted.caller.basePath, requestPath(counted.request.url));
      this.#answers.set(path, { answer, blobKey }, { size });
    }
    return respond(counted);
  }

  /**
   * The same for an address that has several answers: nothing is remembered. A content whose bytes are lost is made again
   * if that is possible.
   */
  async serveOnce(counted: CountedRequest, find: () => Promise<StoredContent>): Promise<Response> {
    const content = await find();
    try {
      const { respond } = await this.#prepare(content, counted);
      return await respond(counted);
    } catch (error) {
      if (!(error instanceof ContentGoneError) || content.makeAgain === undefined) throw error;
      const { respond } = await this.#prepare(await content.makeAgain(), counted);
      return respond(counted);
    }
  }

  async #prepare(
    content: StoredContent,
    { caller }: CountedRequest,
  ): Promise<{ readonly respond: Respond; readonly bytes: Blob | undefined }> {
    const { blobKey, sizeBytes } = content;
    const place = this.#ctx.blobs.locate(blobKey);
    const isSmall = sizeBytes <= HOT_FILE_BYTES;
    const bytes = isSmall ? await this.#bytesOf(content, place) : undefined;
    if (isSmall && bytes === undefined) throw this.#gone(blobKey, caller.client);
    const respond =
      place.at === 'disk'
        ? this.#diskResponder(content, place, bytes)
        : this.#remoteResponder(content, place, bytes);
    return { respond, bytes };
  }

  #bytesOf({ blobKey, sizeBytes }: StoredContent, place: BlobPlace): Promise<Blob | undefined> {
    return place.at === 'disk'
      ? fileInMemory(place.path, sizeBytes)
      : this.#remoteBytes.of({ blobKey, place, sizeBytes });
  }

  #diskResponder(content: StoredContent, place: DiskPlace, bytes: Blob | undefined): Respond {
    const headers = new LimitedHeaders(wholeContentHeaders(content));
    const served: ServedContent = { ...content, source: place };
    return ({ request, verdict, caller }) => {
      if (bytes !== undefined && !isConditional(request)) {
        beginTransfer(caller, content.sizeBytes);
        return new Response(bytes, { headers: headers.of(verdict) });
      }
      if (!isFileWhole(place.path, content.sizeBytes))
        throw this.#gone(content.blobKey, caller.client);
      beginTransfer(caller, content.sizeBytes);
      return serveContent(request, served, limitHeaders(verdict.policy, verdict));
    };
  }

  #remoteResponder(content: StoredContent, place: RemotePlace, bytes: Blob | undefined): Respond {
    const headers = new LimitedHeaders(wholeContentHeaders(content));
    if (bytes !== undefined) {
      const served: ServedContent = { ...content, source: { at: 'memory', bytes } };
      return ({ request, verdict, caller }) => {
        beginTransfer(caller, content.sizeBytes);
        return isConditional(request)
          ? serveContent(request, served, limitHeaders(verdict.policy, verdict))
          : new Response(bytes, { headers: headers.of(verdict) });
      };
    }
    const served: ServedContent = { ...content, source: place };
    return async ({ request, verdict, caller }) => {
      if ((await place.size()) !== content.sizeBytes)
        throw this.#gone(content.blobKey, caller.client);
      beginTransfer(caller, content.sizeBytes);
      return heldIfSmall(serveContent(request, served, limitHeaders(verdict.policy, verdict)));
    };
  }

  #forget(changes: readonly Change[] | 'unknown'): void {
    this.#changes += 1;
    if (changes === 'unknown') {
      this.#answers.clear();
      return;
    }
    const changed = new Set(changes.filter(({ kind }) => kind === 'content').map(({ id }) => id));
    for (const [path, { blobKey }] of this.#answers.entries()) {
      if (changed.has(blobKey)) this.#answers.delete(path);
    }
  }

  #gone(blobKey: BlobKey, client: string): ContentGoneError {
    this.#ctx.refusals.count('ContentGone', client);
    this.#ctx.log.debug({ blobKey }, 'a content is recorded but missing or damaged');
    return new ContentGoneError();
  }
}

function isConditional({ headers }: Request): boolean {
  return headers.has('range') || headers.has('if-none-match');
}

/**
 * The same answer, held in memory if it is a small part: then its length is known, and whether its bytes are readable.
 */
async function heldIfSmall(answer: Response): Promise<Response> {
  const sizeBytes = Number(answer.headers.get('content-length') ?? Infinity);
  return sizeBytes <= HOT_FILE_BYTES ? new Response(await answer.blob(), answer) : answer;
}
