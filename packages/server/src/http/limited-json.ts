import type { Context } from '../context.ts';
import type { Verdict } from '../ports/limiter/limiter.ts';
import { answerError } from './answer-error.ts';
import type { Answer } from './caller.ts';
import { LimitedHeaders } from './limited-headers.ts';
import { limitHeaders, OPERATIONS, requireAllowed, type HttpBucket } from './limited.ts';
import { JSON_HEADERS } from './respond.ts';

/** A route whose requests are counted in `bucket` and answered with the JSON text that `produce` gives. */
export function limitedJson(
  ctx: Context,
  bucket: HttpBucket,
  produce: (request: Request) => string | Promise<string>,
): Answer {
  const operation = OPERATIONS[bucket];
  const headers = new LimitedHeaders(JSON_HEADERS);
  return async (request, caller) => {
    let verdict: Verdict | undefined;
    try {
      verdict = await ctx.limiter.take(bucket, caller.client);
      requireAllowed(request, verdict);
      const text = await produce(request);
      return new Response(text, { headers: headers.of(verdict) });
    } catch (error) {
      const counted = verdict === undefined ? undefined : limitHeaders(verdict.policy, verdict);
      return answerError(ctx, error, { request, caller, operation, limitHeaders: counted });
    }
  };
}
