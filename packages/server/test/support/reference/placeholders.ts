/** A moment that stands for all others. */
const TIME = 1_800_000_000_000;

/** The first moment of 2001, in Unix milliseconds. No other number of the interface is as great. */
const EARLIEST_TIME = 978_307_200_000;

/** A list of objects in an example has so many entries at most. */
const MOST_ENTRIES = 2;

/** A list of numbers or names that is longer than this is shortened, too. */
const MOST_VALUES = 20;

/** Fields whose values are secrets, or are made at random. */
const RANDOM: ReadonlySet<string> = new Set(
  'challenge code cursor epoch key placeholder recovery_codes secret token uri'.split(' '),
);

/** Numbers that are not the same each time. */
const VARYING: Readonly<Record<string, number>> = { done: 12, size_bytes: 2_048, total: 12 };

const ID = /^\d{15,39}$/;
const TOKEN = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/;
const RANDOM_TEXT = /^[\w-]{12,}$/;

/** Replaces what is different in each instance by placeholders: the same value by the same one throughout an example. */
export class Placeholders {
  readonly #addresses: readonly (readonly [found: string, shown: string])[];
  readonly #names = new Map<string, string>();

  constructor(addresses: readonly (readonly [found: string, shown: string])[]) {
    this.#addresses = addresses;
  }

  /** A parameter of a path. */
  parameter(name: string, value: string): string {
    return ID.test(value) || (RANDOM.has(name) && RANDOM_TEXT.test(value))
      ? this.#named(name, value)
      : value;
  }

  /** A JSON value. `key` is the field that has it, and `within` the one that has the object. */
  json(value: unknown, key = '', within = ''): unknown {
    if (Array.isArray(value)) {
      const isShort =
        value.length <= MOST_VALUES && value.every((each) => typeof each !== 'object');
      const some = isShort ? value : value.slice(0, MOST_ENTRIES);
      return some.map((entry: unknown) => this.json(entry, singular(key), within));
    }
    if (typeof value === 'object' && value !== null) {
      const fields = Object.entries(value).map(([name, field]) => [
        this.text(name),
        this.json(field, name, key),
      ]);
      return Object.fromEntries(fields);
    }
    if (typeof value === 'number') return VARYING[key] ?? (value > EARLIEST_TIME ? TIME : value);
    if (typeof value !== 'string') return value;
    if (TOKEN.test(value)) return '<token>';
    if (ID.test(value))
      return this.#named(key === 'id' && within !== '' ? `${within}_id` : key, value);
    if (RANDOM.has(key) && (key !== 'code' || RANDOM_TEXT.test(value))) return `<${key}>`;
    return this.text(value);
  }

  /** A text that may contain addresses and ids. */
  text(value: string): string {
    const local = this.#addresses.reduce(
      (text, [found, shown]) => text.replaceAll(found, shown),
      value,
    );
    const known = [...this.#names].reduce((text, [id, name]) => text.replaceAll(id, name), local);
    return known
      .replaceAll(/\b\d{20,39}\b/g, '<id>')
      .replaceAll(/\b[0-9a-f]{32,}\b/g, '<key>')
      .replaceAll(/(?<=\/exports\/)[\w-]{22}/g, '<key>')
      .replaceAll(/\b\d+ bytes of this file/g, '2048 bytes of this file');
  }

  #named(key: string, value: string): string {
    return this.#names.getOrInsertComputed(value, () => {
      const names = new Set(this.#names.values());
      const name = key === '' ? 'id' : key;
      for (let count = 1; ; count += 1) {
        const shown = count === 1 ? `<${name}>` : `<${name}-${count}>`;
        if (!names.has(shown)) return shown;
      }
    });
  }
}

function singular(key: string): string {
  if (key === 'recovery_codes') return key;
  return key.replace(/ies$/, 'y').replace(/s$/, '');
}
