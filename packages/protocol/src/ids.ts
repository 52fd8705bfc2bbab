/** Unix seconds at which the identifiers' timestamps begin (Resources: Identifier format). */
export const ID_EPOCH_SECONDS = 1_650_000_000;

/** The number of identifiers that one instance can make within one second. */
export const IDS_PER_SECOND = 65_536;

/**
 * The number of decimal digits that change when a sequence is added to a second's first identifier, apart from a carry.
 */
const LOW_DIGITS = 15;
const LOW_BASE = 10 ** LOW_DIGITS;

const SEQUENCE_BITS = 16n;
const INSTANCE_BITS = 48n;
const LARGEST_ID = String((1n << 128n) - 1n);

/**
 * A 128-bit identifier as it is written in JSON: decimal digits without leading zeros. It is branded by a name, because a
 * symbol would differ between this package and the copy in the client library.
 */
export type Id = string & { readonly '~id': true };

/** The parts of an identifier: seconds since {@link ID_EPOCH_SECONDS}, 48 bits of instance, 16 of sequence. */
export interface IdParts {
  readonly seconds: number;
  readonly instanceId: number;
  readonly sequence: number;
}

/** The identifier made of `parts`. */
export function formatId({ seconds, instanceId, sequence }: IdParts): Id {
  const high = (BigInt(seconds) << INSTANCE_BITS) | BigInt(instanceId);
  return branded(((high << SEQUENCE_BITS) | BigInt(sequence)).toString());
}

/**
 * Makes identifiers like `formatId`, but takes a fraction of the time for those of the same second: only their last
 * digits differ, and those are small enough for plain numbers.
 */
export function idFormatter(instanceId: number): (seconds: number, sequence: number) => Id {
  let knownSeconds = -1;
  let high = '';
  let low = 0;
  return (seconds, sequence) => {
    if (seconds !== knownSeconds) {
      const first = formatId({ seconds, instanceId, sequence: 0 }).padStart(LOW_DIGITS + 1, '0');
      high = first.slice(0, -LOW_DIGITS);
      low = Number(first.slice(-LOW_DIGITS));
      knownSeconds = seconds;
    }
    const sum = low + sequence;
    if (sum >= LOW_BASE || high === '0') return formatId({ seconds, instanceId, sequence });
    return branded(`${high}${String(sum).padStart(LOW_DIGITS, '0')}`);
  };
}

/** `value` as an identifier, or undefined if it is not one: not decimal, not canonical, or over 128 bits. */
export function parseId(value: string): Id | undefined {
  if (!/^(0|[1-9][0-9]{0,38})$/.test(value)) return undefined;
  // Of two decimal numbers with as many digits, the text of the smaller one comes first.
  const isSmall = value.length < LARGEST_ID.length || value <= LARGEST_ID;
  return isSmall ? branded(value) : undefined;
}

/** Less than 0 if `one` comes before `other`, more than 0 if it comes after, and 0 if they are the same. */
export function compareIds(one: Id, other: Id): number {
  // Of two decimal numbers without leading zeros, the longer one is larger.
  if (one.length !== other.length) return one.length - other.length;
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The first identifier of the second in which a moment is, on any instance; the moment is in Unix milliseconds. */
export function firstIdAt(unixMs: number): Id {
  const seconds = Math.max(0, Math.floor(unixMs / 1_000) - ID_EPOCH_SECONDS);
  return formatId({ seconds, instanceId: 0, sequence: 0 });
}

/** The identifier after this one; undefined if there is none. */
export function idAfter(id: Id): Id | undefined {
  return parseId(String(BigInt(id) + 1n));
}

/** The parts of an identifier. */
export function idParts(id: Id): IdParts {
  const value = BigInt(id);
  return {
    seconds: Number(value >> (INSTANCE_BITS + SEQUENCE_BITS)),
    instanceId: Number((value >> SEQUENCE_BITS) & ((1n << INSTANCE_BITS) - 1n)),
    sequence: Number(value & ((1n << SEQUENCE_BITS) - 1n)),
  };
}

// Guarantee: every caller has made or checked the decimal text of a 128-bit number.
function branded(value: string): Id {
  return value as Id;
}
