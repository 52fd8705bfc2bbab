import type { Context } from '../context.ts';
import type { Verdict } from '../ports/limiter/limiter.ts';
import { answerError } from './answer-error.ts';
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

interface CountedRequest {
  readonly request: Request;
  readonly caller: Caller;
  readonly verdict?: Verdict;
}

/**
 * A route whose requests are counted in `bucket` before anything else is done with them. Where neither counting nor
 * `respond` has to wait, the answer is there at once: for the runtime a promise costs as much as a small answer.
 */
export function limitedRoute(ctx: Context, bucket: HttpBucket, respond: Respond): Answer {
  const fail = (error: unknown, { request, caller, verdict }: CountedRequest) =>
    answerError(ctx, error, {
      request,
      caller,
      operation: OPERATIONS[bucket],
      limitHeaders: verdict === undefined ? undefined : limitHeaders(verdict.policy, verdict),
    });
  const answer = (request: Request, caller: Caller, verdict: Verdict) => {
    try {
      requireAllowed(request, verdict);
      const answered = respond(request, verdict, caller);
      if (!(answered instanceof Promise)) return answered;
      return answered.catch((error: unknown) => fail(error, { request, caller, verdict }));
    } catch (error) {
      return fail(error, { request, caller, verdict });
    }
  };
  return (request, caller) => {
    try {
      const counted = ctx.limiter.take(bucket, caller.client);
      if (!(counted instanceof Promise)) return answer(request, caller, counted);
      return counted.then(
        (verdict) => answer(request, caller, verdict),
        (error: unknown) => fail(error, { request, caller }),
      );
    } catch (error) {
      return fail(error, { request, caller });
    }
  };
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
