/** The result of reading a raw value: the typed value, or a description of what was found instead. */
export type Reading<T> = { readonly value: T } | { readonly got: string };

/** A kind of value: the phrase that completes "expected …", and a reader for what an owner wrote. */
export interface ValueType<T> {
  readonly expected: string;
  readonly read: (raw: unknown) => Reading<T>;
}

/** A value as an owner writes it. */
export type Written = string | number | boolean;

/** One thing that an owner can set. */
export interface Option<T> {
  readonly kind: 'option';
  /** One sentence without its full stop. The expected phrase may follow it in brackets. */
  readonly about: string;
  readonly type: ValueType<T>;
  /** The value if the option is left out. */
  readonly fallback: T;
  /** The value in the example file: the default, or an example if there is no default. */
  readonly example: Written;
  /** The name of the fallback if {@link example} is not the default. */
  readonly fallbackName: string | undefined;
  /** True if a file must set the option; the example file then does. */
  readonly isRequired: boolean;
}

/** A table of options and further sections. */
export interface Section<Tree extends OptionTree> {
  readonly kind: 'section';
  readonly about: string;
  /** Other accepted names of the section. */
  readonly otherSpellings: readonly string[];
  readonly options: Tree;
}

/** Options and sections by their keys. */
export interface OptionTree {
  readonly [key: string]: OptionNode;
}

/** An entry of a tree. `as` is its name in the code if that is not the key. */
export type OptionNode = (Option<unknown> | Section<OptionTree>) & { readonly as?: string };

/** The values of the options of a tree, by their names in the code. */
export type OptionValues<Tree extends OptionTree> = {
  readonly [Key in keyof Tree as NameOf<Tree[Key], Key>]: Tree[Key] extends Option<infer Value>
    ? Value
    : Tree[Key] extends Section<infer Inner>
      ? OptionValues<Inner>
      : never;
};

type NameOf<Node, Key> = Node extends { readonly as: infer Name extends string } ? Name : Key;

/** The name of an option or a section in the code, if that is not its key. */
interface Named<Name extends string> {
  readonly as: Name;
}

interface DeclaredOption<T> {
  readonly type: ValueType<T>;
  readonly default: Written;
  readonly about: string;
  readonly isRequired?: true;
}

interface DeclaredOptional<T, Fallback> {
  readonly type: ValueType<T>;
  readonly fallback: Fallback;
  readonly fallbackName: string;
  readonly example: Written;
  readonly about: string;
}

interface DeclaredSection<Tree extends OptionTree> {
  readonly about: string;
  readonly otherSpellings?: readonly string[];
  readonly options: Tree;
}

/** An option whose default could also be written. Throws if its own type refuses the default. */
export function option<T, const Name extends string>(
  declared: DeclaredOption<T> & Named<Name>,
): Option<T> & Named<Name>;
export function option<T>(declared: DeclaredOption<T>): Option<T>;
export function option<T>({ default: example, ...declared }: DeclaredOption<T>): Option<T> {
  const reading = declared.type.read(example);
  if ('got' in reading) {
    throw new Error(`default: expected ${declared.type.expected}, got ${reading.got}`);
  }
  return {
    kind: 'option',
    isRequired: false,
    fallback: reading.value,
    example,
    fallbackName: undefined,
    ...declared,
  };
}

/** An option that may be left unset. It is then `fallback`, which the documentation calls `fallbackName`. */
export function optional<T, Fallback, const Name extends string>(
  declared: DeclaredOptional<T, Fallback> & Named<Name>,
): Option<T | Fallback> & Named<Name>;
export function optional<T, Fallback>(
  declared: DeclaredOptional<T, Fallback>,
): Option<T | Fallback>;
export function optional<T, Fallback>(
  declared: DeclaredOptional<T, Fallback>,
): Option<T | Fallback> {
  return { kind: 'option', isRequired: false, ...declared };
}

export function section<Tree extends OptionTree, const Name extends string>(
  declared: DeclaredSection<Tree> & Named<Name>,
): Section<Tree> & Named<Name>;
export function section<Tree extends OptionTree>(declared: DeclaredSection<Tree>): Section<Tree>;
export function section<Tree extends OptionTree>(declared: DeclaredSection<Tree>): Section<Tree> {
  return { kind: 'section', otherSpellings: [], ...declared };
}
