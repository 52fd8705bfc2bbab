import { RATE_LIMITS, rateLimitsIn, type RateLimitKind } from '@hearth/protocol';

/** What a limit is set to. A limit without bytes has no use for `file_size_limit`. */
export interface LimitValues {
  /** Seconds; as in the table unless given. */
  readonly reset_after?: number;
  readonly limit: number;
  readonly file_size_limit: number | string;
}

/** The part of an instance file that sets all limits of the table to the same values. */
export function limitsToml(values: LimitValues): string {
  const rows = (section: 'oprish' | 'effis') =>
    rateLimitsIn(section).map((name) => `${name} = ${valueOf(RATE_LIMITS[name], values)}\n`);
  const gateway = valueOf(RATE_LIMITS.gateway, values);
  return `
[oprish.rate_limits]
${rows('oprish').join('')}[pandemonium]
rate_limit = ${gateway}
[effis.rate_limits]
${rows('effis').join('')}`;
}

function valueOf({ defaults }: RateLimitKind, values: LimitValues): string {
  const { reset_after = defaults.reset_after, limit, file_size_limit } = values;
  const bytes = defaults.file_size_limit === undefined ? undefined : { file_size_limit };
  const entries = Object.entries({ reset_after, limit, ...bytes });
  return `{ ${entries.map(([key, value]) => `${key} = ${JSON.stringify(value)}`).join(', ')} }`;
}
