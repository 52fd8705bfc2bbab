import { RATE_LIMITS, type RateLimitKind } from '@hearth/protocol';
import type { Actor, User } from '../actor.ts';
import type { Context } from '../context.ts';
import type { Verdict } from '../ports/limiter/limiter.ts';
import { answerError } from './answer-error.ts';
import { andThen, attempt } from '../lib/and-then.ts';
import { guestOf, tokenIn, userOf } from './authenticate.ts';
import { beginTransfer } from './begin-transfer.ts';
import { contentLength, drain, readBody, type BodyBytes } from './body.ts';
import type { TokenHolder } from '../authentication.ts';
import type { Answer, Caller } from './caller.ts';
import type { HeadedAnswer } from './headed-answer.ts';
import { LimitedHeaders } from './limited-headers.ts';
import { limitHeaders, requireAllowed, type HttpBucket } from './limited.ts';
import { pacedBody } from './paced-body.ts';
import { exposing, json, JSON_HEADERS, KEEPING, type Keeper } from './respond.ts';
import type { PathParams } from './router.ts';
import type { StreamedBody } from './streamed-body.ts';

interface RoutedRequest {
  readonly request: Request;
  readonly caller: Caller;
  /** The values of the path's parameters. */
  readonly params: PathParams;
}

/** A request that was counted and may be answered. */
export interface CountedRequest extends RoutedRequest {
  readonly verdict: Verdict;
  readonly actor: Actor;
}

/** Answers such a request. */
export type Respond = (counted: CountedRequest) => Response | Promise<Response>;

/** Returns the JSON text of an answer. */
export type Produce = (counted: CountedRequest) => string | Promise<string>;

/** Returns an answer with headers of its own. */
export type HeadedAct = (counted: CountedRequest) => Promise<HeadedAnswer<unknown>>;

/** What a route with a body does with it. */
export interface BodyWork {
  /** Bytes that are read at most. */
  readonly maxBytes: number;
  /** Returns the JSON text of the answer. */
  readonly produce: (body: BodyBytes, counted: CountedRequest) => string | Promise<string>;
}

/** Returns the answer to a request that failed, before or after it was counted. */
type Fail = (
  error: unknown,
  failed: RoutedRequest & { readonly verdict?: Verdict },
) => Response | Promise<Response>;

const NO_PARAMS: PathParams = {};

/** How many users of one address may do as much as the limit allows each of them. */
const TIMES_OF_ADDRESS = 10;

/**
 * A route whose requests are counted in `bucket` before anything else happens to them. If neither counting nor
 * `respond` has to wait, the answer is returned at once: to the runtime a promise costs as much as a small answer.
 */
export function limitedRoute(ctx: Context, bucket: HttpBucket, respond: Respond): Answer {
  const fail = failing(ctx, bucket);
  return countedRoute(ctx, bucket, (counted) => {
    const answered = respond(counted);
    if (!(answered instanceof Promise)) return answered;
    return answered.catch((error: unknown) => fail(error, counted));
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
  return countedRoute(ctx, bucket, (counted) => {
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
  });
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

function countedRoute(ctx: Context, bucket: HttpBucket, respond: Respond): Answer {
  const fail = failing(ctx, bucket);
  const answer = ({ request, caller, params }: RoutedRequest, verdict: Verdict, user?: User) => {
    try {
      requireAllowed(request, verdict);
      const actor = user ?? guestOf(request, caller.client);
      return respond({ request, caller, params, verdict, actor });
    } catch (error) {
      return fail(error, { request, caller, params, verdict });
    }
  };
  const answerUser = answerToToken(ctx, bucket, answer);
  return (request, caller, params = NO_PARAMS) => {
    const routed = { request, caller, params };
    try {
      const token = tokenIn(request);
      if (token !== undefined) return answerUser(routed, token);
      const verdict = ctx.limiter.take(bucket, caller.client);
      if (!(verdict instanceof Promise)) return answer(routed, verdict);
      return verdict.then(
        (known) => answer(routed, known),
        (error: unknown) => fail(error, routed),
      );
    } catch (error) {
      return fail(error, routed);
    }
  };
}

/**
 * Answers requests with a token. The user is counted, and the address at ten times as much. The address comes first, so
 * that wrong tokens are limited like everything else.
 */
function answerToToken(
  ctx: Context,
  bucket: HttpBucket,
  answer: (routed: RoutedRequest, verdict: Verdict, user?: User) => Response | Promise<Response>,
) {
  const fail = failing(ctx, bucket);
  const row: RateLimitKind = RATE_LIMITS[bucket];
  const { withToken = bucket, isByAddress = false } = row;
  const ofAddress = ({ client }: Caller) =>
    isByAddress
      ? ctx.limiter.take(bucket, client)
      : ctx.limiter.take(withToken, `tokens of ${client}`, TIMES_OF_ADDRESS);
  const ofUser = (holder: TokenHolder, known: Verdict) =>
    isByAddress ? known : ctx.limiter.take(withToken, holder.countedAs);
  return (routed: RoutedRequest, token: string): Response | Promise<Response> => {
    const { client } = routed.caller;
    const count = (known: Verdict): Response | Promise<Response> => {
      if (!known.allowed) return answer(routed, known);
      return attempt(
        () =>
          andThen(ctx.authentication.check(token, client), (holder) =>
            andThen(ofUser(holder, known), (verdict) =>
              answer(routed, verdict, userOf(holder, client, routed.request)),
            ),
          ),
        (error) => fail(error, { ...routed, verdict: known }),
      );
    };
    return attempt(
      () => andThen(ofAddress(routed.caller), count),
      (error) => fail(error, routed),
    );
  };
}

function failing(ctx: Context, bucket: HttpBucket): Fail {
  return (error, { request, caller, verdict }) =>
    answerError(ctx, error, {
      request,
      caller,
      operation: RATE_LIMITS[bucket].operation,
      limitHeaders: verdict === undefined ? undefined : limitHeaders(verdict.policy, verdict),
    });
}
