import type { Context } from '../context.ts';
import type { Verdict } from '../ports/limiter/limiter.ts';
import { answerError } from './answer-error.ts';
import { readBody, type BodyBytes } from './body.ts';
import type { Answer, Caller } from './caller.ts';
import { LimitedHeaders } from './limited-headers.ts';
import { limitHeaders, OPERATIONS, requireAllowed, type HttpBucket } from './limited.ts';
import { JSON_HEADERS } from './respond.ts';

/** Answers a request that was counted and may be answered. */
export type Respond = (
  request: Request,
  verdict: Verdict,
  caller: Caller,
) => Response | Promise<Response>;

/** What a route with a body does with it. */
export interface BodyWork {
  /** How many bytes are read at most. */
  readonly maxBytes: number;
  /** Gives the JSON text of the answer. */
  readonly produce: (body: BodyBytes) => string | Promise<string>;
}

interface CountedRequest {
  readonly request: Request;
  readonly caller: Caller;
  readonly verdict?: Verdict;
}

/** Gives the answer to a request that failed. */
type Fail = (error: unknown, counted: CountedRequest) => Response | Promise<Response>;

/** Answers as {@link Respond} does; a promise does not reject. */
type RespondSafely = (counted: Required<CountedRequest>) => Response | Promise<Response>;

/**
 * A route whose requests are counted in `bucket` before anything else is done with them. Where neither counting nor
 * `respond` has to wait, the answer is there at once: for the runtime a promise costs as much as a small answer.
 */
export function limitedRoute(ctx: Context, bucket: HttpBucket, respond: Respond): Answer {
  const fail = failing(ctx, bucket);
  return countedRoute(ctx, bucket, (counted) => {
    const answered = respond(counted.request, counted.verdict, counted.caller);
    if (!(answered instanceof Promise)) return answered;
    return answered.catch((error: unknown) => fail(error, counted));
  });
}

/** Such a route that answers with the JSON text that `produce` gives. */
export function limitedJson(
  ctx: Context,
  bucket: HttpBucket,
  produce: (request: Request) => string | Promise<string>,
): Answer {
  const headers = new LimitedHeaders(JSON_HEADERS);
  return limitedRoute(ctx, bucket, (request, verdict) => {
    const answer = (text: string) => new Response(text, { headers: headers.of(verdict) });
    const text = produce(request);
    return typeof text === 'string' ? answer(text) : text.then(answer);
  });
}

/** Such a route that does so with the body of its request: of one that is there it makes a single promise. */
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
        const text = produce(body);
        return typeof text === 'string' ? answer(text) : text.then(answer).catch(onFault);
      } catch (error) {
        return onFault(error);
      }
    }, onFault);
  });
}

function countedRoute(ctx: Context, bucket: HttpBucket, respond: RespondSafely): Answer {
  const fail = failing(ctx, bucket);
  const answer = (request: Request, caller: Caller, verdict: Verdict) => {
    const counted = { request, caller, verdict };
    try {
      requireAllowed(request, verdict);
      return respond(counted);
    } catch (error) {
      return fail(error, counted);
    }
  };
  return (request, caller) => {
    try {
      const verdict = ctx.limiter.take(bucket, caller.client);
      if (!(verdict instanceof Promise)) return answer(request, caller, verdict);
      return verdict.then(
        (known) => answer(request, caller, known),
        (error: unknown) => fail(error, { request, caller }),
      );
    } catch (error) {
      return fail(error, { request, caller });
    }
  };
}

function failing(ctx: Context, bucket: HttpBucket): Fail {
  return (error, { request, caller, verdict }) =>
    answerError(ctx, error, {
      request,
      caller,
      operation: OPERATIONS[bucket],
      limitHeaders: verdict === undefined ? undefined : limitHeaders(verdict.policy, verdict),
    });
}
