import { NotFoundError } from '@hearth/protocol';
import type { Context } from '../context.ts';
import { isSameSecret } from '../lib/same-secret.ts';
import type { BlobKey, BlobPlace, DiskPlace, RemotePlace } from '../ports/blobs/blobs.ts';
import { ChangeCache } from '../ports/database/change-cache.ts';
import { fileInMemory, isFileWhole } from '../runtime/file-body.ts';
import { beginTransfer } from './begin-transfer.ts';
import type { Answer } from './caller.ts';
import { LimitedHeaders } from './limited-headers.ts';
import type { CountedRequest, Respond } from './counted-route.ts';
import { limitedRoute } from './limited-route.ts';
import { limitHeaders, type HttpBucket } from './limited.ts';
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
  /** The key of another content that it was made from. */
  readonly sourceKey?: BlobKey | undefined;
  /** The ids of what it goes with: it is found again after a change of one of them. */
  readonly goesWith?: readonly string[];
  /** Makes a content that can be made again, if its bytes are lost. */
  readonly makeAgain?: (() => Promise<StoredContent>) | undefined;
}

class ContentGoneError extends NotFoundError {}

/** Larger files are left to the system's cache, which is as fast with them; larger contents of S3 are never kept. */
const HOT_FILE_BYTES = 256 * 1024;
const HOT_BYTES = 32 * 1024 * 1024;

interface HotAnswer {
  /** To a request that was not counted yet. */
  readonly answer: Answer;
  /** To one that was. */
  readonly respond: Respond;
  /** The secret that a request has to give to get it. */
  readonly secret: string | undefined;
}

export interface ContentLookup {
  /** The rate limit that the request counts in. */
  readonly bucket: HttpBucket;
  /** The text that the answer depends on besides the path; undefined if it depends on nothing else. */
  readonly variant?: string | undefined;
  /** The secret that the request gives to see a content that has one. */
  readonly secret?: string | undefined;
  readonly find: () => Promise<StoredContent>;
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
  readonly #answers: ChangeCache<string, HotAnswer>;
  readonly #remoteBytes = new RemoteBytes(HOT_BYTES);

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#answers = new ChangeCache(ctx.database, 'content', { maxSize: HOT_BYTES });
  }

  /** The answer to GET of `path`, if it depends on nothing else, was served before and has not changed. */
  answerTo(path: string): Answer | undefined {
    const known = this.#answers.get(path);
    return known?.secret === undefined ? known?.answer : undefined;
  }

  /**
   * Answers GET of the content that `find` returns. Throws what `find` throws, RangeNotSatisfiableError, and
   * NotFoundError if the content's bytes are missing: they were removed a moment ago, or they are lost, which the log
   * reports. A content whose bytes are lost is made again if that is possible.
   */
  serve(counted: CountedRequest, lookup: ContentLookup): Response | Promise<Response> {
    const path = pathBelow(counted.caller.basePath, requestPath(counted.request.url));
    // No path has a question mark.
    const key = lookup.variant === undefined ? path : `${path}?${lookup.variant}`;
    const known = this.#answers.get(key);
    // Without the secret, it is found like a content that does not exist.
    if (known === undefined || !isOpenTo(known, lookup))
      return this.#findAndServe(counted, key, lookup);
    const onFault = (error: unknown) => {
      if (!(error instanceof ContentGoneError)) throw error;
      this.#answers.delete(key);
      return this.#findAndServe(counted, key, lookup);
    };
    try {
      const answered = known.respond(counted);
      return answered instanceof Promise ? answered.catch(onFault) : answered;
    } catch (error) {
      return onFault(error);
    }
  }

  async #findAndServe(
    counted: CountedRequest,
    key: string,
    lookup: ContentLookup,
  ): Promise<Response> {
    const remember = this.#answers.reading();
    const content = await lookup.find();
    try {
      const prepared = await this.#prepare(content, counted);
      // A remembered answer is given to everyone, so it must be one that a guest may have.
      if (counted.actor.kind === 'guest' && isKept(content, lookup)) {
        const { respond, bytes } = prepared;
        const answer = limitedRoute(this.#ctx, lookup.bucket, respond);
        const { blobKey, sourceKey = blobKey, goesWith = [] } = content;
        const madeFrom = [blobKey, sourceKey, ...goesWith];
        const size = ANSWER_BYTES + (bytes?.size ?? 0);
        const { secret } = content;
        remember([{ key, value: { answer, respond, secret }, madeFrom, size }]);
      }
      return await prepared.respond(counted);
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

  #gone(blobKey: BlobKey, client: string): ContentGoneError {
    this.#ctx.refusals.count('ContentGone', client);
    this.#ctx.log.debug({ blobKey }, 'a content is recorded but missing or damaged');
    return new ContentGoneError();
  }
}

/**
 * Returns whether the answer may be remembered. If the path alone determines it, each change of it is reported;
 * otherwise only an answer that is final may be: a variant that takes the place of another content for now may be made
 * at any time.
 */
function isKept({ isImmutable }: StoredContent, { variant }: ContentLookup): boolean {
  return variant === undefined || isImmutable;
}

function isOpenTo({ secret }: HotAnswer, { secret: given }: ContentLookup): boolean {
  return secret === undefined || (given !== undefined && isSameSecret(secret, given));
}

function isConditional({ headers }: Request): boolean {
  return headers.has('range') || headers.has('if-none-match');
}

/**
 * Returns the answer, held in memory if it is a small part: then its length is known, and whether its bytes are
 * readable.
 */
async function heldIfSmall(answer: Response): Promise<Response> {
  const sizeBytes = Number(answer.headers.get('content-length') ?? Infinity);
  return sizeBytes <= HOT_FILE_BYTES ? new Response(await answer.blob(), answer) : answer;
}
