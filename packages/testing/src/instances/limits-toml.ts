import { RATE_LIMITS, rateLimitsIn, type RateLimitKind } from '@hearth/protocol';

/** The values of a limit. A limit that does not count bytes ignores `file_size_limit`. */
export interface LimitValues {
  /** Seconds; the default is the value in the table. */
  readonly reset_after?: number;
  readonly limit: number;
  readonly file_size_limit: number | string;
}

/** The lines of an instance file that set all limits of the table to the same values. */
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
