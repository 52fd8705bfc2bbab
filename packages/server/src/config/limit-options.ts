import {
  RATE_LIMITS,
  rateLimitKeys,
  rateLimitsIn,
  type CountsBytes,
  type RateLimitIn,
  type RateLimitKind,
  type RateLimitName,
} from '@hearth/protocol';
import { byteSize, formatByteSize } from './byte-size.ts';
import { option, section, type Option, type Section } from './option.ts';
import { wholeNumber } from './value-types.ts';

const SECONDS_A_YEAR = 31_536_000;
const requestCount = wholeNumber(1);
const timeFrame = wholeNumber(1, SECONDS_A_YEAR);

type RequestOptions = {
  readonly reset_after: Option<number>;
  readonly limit: Option<number>;
};

type LimitOptions<Name extends RateLimitName> = Section<
  CountsBytes<Name> extends true
    ? RequestOptions & { readonly file_size_limit: Option<number> }
    : RequestOptions
>;

/** The options of all limits of a section, with their defaults. */
export function limitsIn<In extends 'oprish' | 'effis'>(name: In) {
  const entries = rateLimitsIn(name).map((each) => [each, rateLimit(each)] as const);
  // Guarantee: each limit of the section has its options, according to its row.
  return Object.fromEntries(entries) as { readonly [Each in RateLimitIn<In>]: LimitOptions<Each> };
}

/** The options of a limit, with its defaults. */
export function rateLimit<Name extends RateLimitName>(name: Name): LimitOptions<Name> {
  const { counts, defaults }: RateLimitKind = RATE_LIMITS[name];
  const requests = {
    reset_after: option({
      type: timeFrame,
      default: defaults.reset_after,
      about: 'Length of a time frame, in seconds',
    }),
    limit: option({
      type: requestCount,
      default: defaults.limit,
      about: 'How often one client may do this in each time frame',
    }),
  };
  const bytes = defaults.file_size_limit;
  // Guarantee: the limit has the option for bytes if its row does.
  return section({
    about: counts,
    otherSpellings: rateLimitKeys(name).filter(
      (key) => key === name.replaceAll('_', ' ') && key !== name,
    ),
    options: bytes === undefined ? requests : { ...requests, file_size_limit: byteLimit(bytes) },
  }) as LimitOptions<Name>;
}

function byteLimit(bytes: number) {
  return option({
    type: byteSize(),
    default: formatByteSize(bytes),
    about: 'How many bytes one client may upload in each time frame',
  });
}
