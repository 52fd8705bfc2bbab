/** What a raw value turned out to be: the typed value, or a description of what was there instead. */
export type Reading<T> = { readonly value: T } | { readonly got: string };

/** A kind of value: the phrase that completes "expected …", and the reader of what an owner wrote. */
export interface ValueType<T> {
  readonly expected: string;
  readonly read: (raw: unknown) => Reading<T>;
}

/** A value as an owner writes it. */
export type Written = string | number;

/** One thing that an owner can set. */
export interface Option<T> {
  readonly kind: 'option';
  /** One sentence without its full stop, which may be followed by the expected phrase in brackets. */
  readonly about: string;
  readonly type: ValueType<T>;
  /** The value of an option that was left out. */
  readonly fallback: T;
  /** The line of the example file: a default, or an example of an option that has none. */
  readonly example: Written;
  /** What the fallback is called where {@link example} is not the default. */
  readonly fallbackName: string | undefined;
  /** Whether the line of the example file is in force rather than a comment. */
  readonly activeInExample: boolean;
}

/** A table of options and further sections. */
export interface Section<Tree extends OptionTree> {
  readonly kind: 'section';
  readonly about: string;
  /** Names that are accepted in place of the section's own. */
  readonly otherSpellings: readonly string[];
  readonly options: Tree;
}

/** Options and sections by their keys. */
export interface OptionTree {
  readonly [key: string]: Option<unknown> | Section<OptionTree>;
}

/** What a tree is read to. */
export type OptionValues<Tree extends OptionTree> = {
  readonly [Key in keyof Tree]: Tree[Key] extends Option<infer Value>
    ? Value
    : Tree[Key] extends Section<infer Inner>
      ? OptionValues<Inner>
      : never;
};

/** An option whose default is a value that could be written as well. Throws when its own type refuses the default. */
export function option<T>(declared: {
  readonly type: ValueType<T>;
  readonly default: Written;
  readonly about: string;
  readonly activeInExample?: boolean;
}): Option<T> {
  const { type, about, activeInExample = false } = declared;
  const reading = type.read(declared.default);
  if ('got' in reading) {
    throw new Error(`default: expected ${type.expected}, got ${reading.got}`);
  }
  return {
    kind: 'option',
    about,
    type,
    fallback: reading.value,
    example: declared.default,
    fallbackName: undefined,
    activeInExample,
  };
}

/** An option that may be left unset: it is then `fallback`, which the documentation calls `fallbackName`. */
export function optional<T, Fallback>(declared: {
  readonly type: ValueType<T>;
  readonly fallback: Fallback;
  readonly fallbackName: string;
  readonly example: Written;
  readonly about: string;
}): Option<T | Fallback> {
  return { kind: 'option', activeInExample: false, ...declared };
}

/** A section of options. */
export function section<Tree extends OptionTree>(declared: {
  readonly about: string;
  readonly otherSpellings?: readonly string[];
  readonly options: Tree;
}): Section<Tree> {
  return { kind: 'section', otherSpellings: [], ...declared };
}
