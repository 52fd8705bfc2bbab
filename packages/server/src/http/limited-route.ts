import type { Context } from '../context.ts';
import type { Counting } from '../counting.ts';
import { beginTransfer } from './begin-transfer.ts';
import { contentLength, drain, readBody, type BodyBytes } from './body.ts';
import type { Answer } from './caller.ts';
import {
  countedRoute,
  failing,
  TIMES_OF_ADDRESS,
  type CountedRequest,
  type Respond,
} from './counted-route.ts';
import type { HeadedAnswer } from './headed-answer.ts';
import { LateCount } from './late-count.ts';
import { LimitedHeaders } from './limited-headers.ts';
import { limitHeaders, type HttpBucket } from './limited.ts';
import { pacedBody } from './paced-body.ts';
import { exposing, json, JSON_HEADERS, KEEPING, type Keeper } from './respond.ts';
import type { StreamedBody } from './streamed-body.ts';

/** Returns the JSON text of an answer. */
export type Produce = (counted: CountedRequest) => string | Promise<string>;

/** Returns an answer with headers of its own. */
export type HeadedAct = (counted: CountedRequest) => Promise<HeadedAnswer<unknown>>;

/** The work of a route with a body. */
export interface BodyWork {
  /** Bytes that are read at most. */
  readonly maxBytes: number;
  /** Returns the JSON text of the answer. */
  readonly produce: (body: BodyBytes, counted: CountedRequest) => string | Promise<string>;
}

/**
 * A route whose requests are counted in `bucket` before anything else happens to them. If neither counting nor
 * `respond` has to wait, the answer is returned at once: to the runtime a promise costs as much as a small answer.
 */
export function limitedRoute(ctx: Context, bucket: HttpBucket, respond: Respond): Answer {
  const fail = failing(ctx, bucket);
  return countedRoute(ctx, bucket, {
    respond(counted) {
      const answered = respond(counted);
      if (!(answered instanceof Promise)) return answered;
      return answered.catch((error: unknown) => fail(error, counted));
    },
  });
}

/** A limited route that answers with the JSON text that `produce` returns. */
export function limitedJson(ctx: Context, bucket: HttpBucket, produce: Produce): Answer {
  const headers = new LimitedHeaders(JSON_HEADERS);
  return limitedRoute(ctx, bucket, (counted) => {
    const answer = (text: string) => new Response(text, { headers: headers.of(counted.verdict) });
    const text = produce(counted);
    return typeof text === 'string' ? answer(text) : text.then(answer);
  });
}

/** A limited route that answers with what `act` returns, which those may keep whom `keptBy` names. */
export function limitedLastingJson(
  ctx: Context,
  bucket: HttpBucket,
  {
    act,
    keptBy,
  }: {
    readonly act: (counted: CountedRequest) => unknown;
    readonly keptBy: (result: unknown) => Keeper;
  },
): Answer {
  return limitedRoute(ctx, bucket, async (counted) => {
    const result = await act(counted);
    const { verdict } = counted;
    const limits = limitHeaders(verdict.policy, verdict);
    return json(result, { ...limits, ...KEEPING[keptBy(result)] });
  });
}

/** A limited route that answers with JSON and headers of its own, whose names are `adds`. */
export function limitedHeadedJson(
  ctx: Context,
  bucket: HttpBucket,
  { adds, act }: { readonly adds: readonly string[]; readonly act: HeadedAct },
): Answer {
  const fixed = new LimitedHeaders({ ...JSON_HEADERS, ...exposing(adds) });
  return limitedRoute(ctx, bucket, async (counted) => {
    const { body, headers } = await act(counted);
    const all = { ...fixed.of(counted.verdict).toJSON(), ...headers };
    return new Response(JSON.stringify(body), { headers: all });
  });
}

/** A limited route that does so with the body of its request. If the body has arrived, it makes a single promise. */
export function limitedJsonPost(
  ctx: Context,
  bucket: HttpBucket,
  { maxBytes, produce }: BodyWork,
): Answer {
  const headers = new LimitedHeaders(JSON_HEADERS);
  const fail = failing(ctx, bucket);
  const respond: Respond = (counted) => {
    const answer = (text: string) => new Response(text, { headers: headers.of(counted.verdict) });
    const onFault = (error: unknown) => fail(error, counted);
    return readBody(counted.request, maxBytes).then((body) => {
      try {
        const text = produce(body, counted);
        return typeof text === 'string' ? answer(text) : text.then(answer).catch(onFault);
      } catch (error) {
        return onFault(error);
      }
    }, onFault);
  };
  return countedRoute(ctx, bucket, { respond });
}

/** The work of a route with a body that decides for whom the request counts. */
export interface LateBodyWork {
  readonly maxBytes: number;
  readonly produce: (
    body: BodyBytes,
    counted: CountedRequest,
    counting: Counting,
  ) => string | Promise<string>;
}

/**
 * A limited route that does so and counts the request late: at first for the address at ten times the limit, then for whom
 * the verb says. The headers of its answer report the last count.
 */
export function lateLimitedJsonPost(
  ctx: Context,
  bucket: HttpBucket,
  { maxBytes, produce }: LateBodyWork,
): Answer {
  const fail = failing(ctx, bucket);
  const respond: Respond = async (counted) => {
    const { client } = counted.caller;
    const count = new LateCount({ limiter: ctx.limiter, bucket, client, verdict: counted.verdict });
    try {
      const body = await readBody(counted.request, maxBytes);
      const text = await produce(body, counted, count);
      const { verdict } = count;
      const headers = { ...JSON_HEADERS, ...limitHeaders(verdict.policy, verdict) };
      return new Response(text, { headers });
    } catch (error) {
      const known = await count.failedWith(error);
      return fail(known, { ...counted, verdict: count.verdict });
    }
  };
  const ofAddress = (client: string) =>
    ctx.limiter.take(bucket, `all of ${client}`, TIMES_OF_ADDRESS);
  return countedRoute(ctx, bucket, { respond, ofAddress });
}

/**
 * A limited route that takes the body of its request as it streams in. Its headers, including those of a refusal,
 * report the bytes that were counted in the end. A refusal is sent after reading what the client was still sending.
 */
export function limitedStream(
  ctx: Context,
  bucket: HttpBucket,
  produce: (body: StreamedBody, counted: CountedRequest) => Promise<string>,
): Answer {
  const fail = failing(ctx, bucket);
  return limitedRoute(ctx, bucket, async (counted) => {
    const { request, caller, verdict } = counted;
    const standing = async () => ({ ...verdict, ...(await ctx.limiter.standing(verdict)) });
    beginTransfer(caller);
    const reader = (request.body ?? new Blob([]).stream()).getReader();
    const body: StreamedBody = {
      contentType: request.headers.get('content-type'),
      contentLength: contentLength(request),
      body: pacedBody(reader, { clock: ctx.clock, peer: caller.peer }),
      verdict,
    };
    try {
      const text = await produce(body, counted);
      const headers = { ...JSON_HEADERS, ...limitHeaders(verdict.policy, await standing()) };
      return new Response(text, { headers });
    } catch (error) {
      await drain(reader);
      return fail(error, { ...counted, verdict: await standing() });
    }
  });
}
