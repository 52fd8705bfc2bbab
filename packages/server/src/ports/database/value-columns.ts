/** Strings, quoted names, values, words and operators. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$\d+|\w+|<=|>=|<>|!=|\|\||::|\S/g;

/** Operators whose sides are of one kind. */
const COMPARISONS: ReadonlySet<string | undefined> = new Set([
  '=',
  '<>',
  '!=',
  '<',
  '>',
  '<=',
  '>=',
  'like',
  '||',
]);

/** Functions whose result is one of their arguments. */
const ONE_OF: ReadonlySet<string | undefined> = new Set([
  'coalesce',
  'nullif',
  'max',
  'min',
  'any',
  'cast',
]);

/**
 * Finds the columns that the values of a statement belong to, in the order of the values: those that they are compared with or
 * stored in, or the names that they are given with `as`. Undefined for a value that belongs to none, such as a limit.
 *
 * @example valueColumns('update things set version = $1 where id in ($2, $3)') // ['version', 'id', 'id']
 */
export function valueColumns(text: string): readonly (string | undefined)[] {
  const statement = new TokenList(text.match(TOKEN) ?? []);
  const columns: (string | undefined)[] = [];
  let count = 0;
  for (const [at, token] of statement.tokens.entries()) {
    const place = token === '?' ? count++ : token.startsWith('$') ? Number(token.slice(1)) - 1 : -1;
    if (place >= 0) columns[place] ??= statement.columnOf(at, at);
  }
  return Array.from(columns);
}

/** The token with which a list begins, and how many elements are before one. */
interface ListPlace {
  readonly begin: number;
  readonly index: number;
}

/** The tokens of a statement. Expressions are named by their first and last token. */
class TokenList {
  readonly tokens: readonly string[];
  /** The places of elements of lists, by their last tokens, so that each is found from the one before it. */
  readonly #places = new Map<number, ListPlace>();
  /** The columns of rows, by their last tokens, for the same reason. */
  readonly #rows = new Map<number, readonly string[]>();

  constructor(tokens: readonly string[]) {
    this.tokens = tokens;
  }

  /** The column that an expression is compared with or stored in. */
  columnOf(first: number, last: number): string | undefined {
    const { tokens } = this;
    const [before, after] = [tokens[first - 1], tokens[last + 1]];
    if (COMPARISONS.has(before)) return this.#nameBefore(first - 1);
    if (COMPARISONS.has(after)) return this.#nameFrom(last + 2);
    if (before === 'between') return this.#nameBefore(first - 1);
    if (before === 'and' && tokens[first - 3] === 'between') return this.#nameBefore(first - 3);
    if (before === 'when') return this.#nameFrom(this.#caseAround(first).first + 1);
    if (before === 'then' || before === 'else') {
      const around = this.#caseAround(first);
      return this.columnOf(around.first, around.last);
    }
    if (before === '(' || before === ',' || before === 'select') {
      return this.#columnInList(first, last);
    }
    return undefined;
  }

  /** The `case` around a token. */
  #caseAround(at: number): { readonly first: number; readonly last: number } {
    return { first: this.#edge(at, -1, 'case'), last: this.#edge(at, 1, 'end') };
  }

  /** Returns where the `case` around a token begins or ends. */
  #edge(from: number, step: 1 | -1, edge: 'case' | 'end'): number {
    const inner = edge === 'case' ? 'end' : 'case';
    let depth = 0;
    for (let at = from; at >= 0 && at < this.tokens.length; at += step) {
      if (this.tokens[at] === inner) depth += 1;
      else if (this.tokens[at] !== edge) continue;
      else if (depth === 0) return at;
      else depth -= 1;
    }
    return -1;
  }

  /** The column of an element of a list: in parentheses, or of what is selected. */
  #columnInList(first: number, last: number): string | undefined {
    const { tokens } = this;
    const place = this.#placeInList(first);
    this.#places.set(last, place);
    const { begin, index } = place;
    if (tokens[begin] === '(') return this.#columnInParentheses(begin, index);
    return tokens[last + 1] === 'as'
      ? nameIn(tokens[last + 2])
      : this.#columnsOfSelected(begin)?.[index];
  }

  #placeInList(first: number): ListPlace {
    const { tokens } = this;
    let index = 0;
    for (let at = first - 1; at >= 0; at -= 1) {
      const known = tokens[at] === ',' ? this.#places.get(at - 1) : undefined;
      if (known !== undefined) return { begin: known.begin, index: known.index + index + 1 };
      if (tokens[at] === '(' || tokens[at] === 'select') return { begin: at, index };
      if (tokens[at] === ')') at = this.#opening(at);
      else if (tokens[at] === ',') index += 1;
    }
    return { begin: -1, index };
  }

  /** The columns into which an outermost `select` inserts. */
  #columnsOfSelected(select: number): readonly string[] | undefined {
    const before = this.tokens.slice(0, select);
    const depth = before.reduce(
      (sum, each) => sum + Number(each === '(') - Number(each === ')'),
      0,
    );
    const isInserted = depth === 0 && before[0] === 'insert';
    return isInserted && before[3] === '(' ? this.#names(3) : undefined;
  }

  #columnInParentheses(open: number, index: number): string | undefined {
    const { tokens } = this;
    const before = tokens[open - 1];
    if (before === 'in') return this.#nameBefore(this.#beforeIn(open) + 1);
    if (before === 'values' || before === ',' || before === '(')
      return this.#columnsOfRow(open)?.[index];
    if (before === 'unnest') return this.#namesAfter(this.#closing(open))?.[index];
    if (COMPARISONS.has(before) && tokens[open - 2] === ')')
      return this.#namesBefore(open - 1)?.[index];
    const first = ONE_OF.has(before) ? open - 1 : open;
    return (
      (before === 'coalesce' ? this.#nameFrom(open + 1) : undefined) ??
      this.columnOf(first, this.#closing(open))
    );
  }

  /** The columns of a row in a list of rows that begins before it. */
  #columnsOfRow(open: number): readonly string[] | undefined {
    const { tokens } = this;
    const before = tokens[open - 1] === ',' ? open - 2 : -1;
    const columns = this.#rows.get(before) ?? this.#columnsOfFirst(open);
    if (columns !== undefined) this.#rows.set(this.#closing(open), columns);
    return columns;
  }

  #columnsOfFirst(open: number): readonly string[] | undefined {
    const { tokens } = this;
    let first = open;
    while (tokens[first - 1] === ',' && tokens[first - 2] === ')') {
      first = this.#opening(first - 2);
    }
    if (tokens[first - 1] === 'values') return this.#columnsOfRows(first - 1);
    const isInList = tokens[first - 1] === '(' && tokens[first - 2] === 'in';
    return isInList ? this.#namesBefore(this.#beforeIn(first - 1) + 1) : undefined;
  }

  /** The columns of the rows after `values`. */
  #columnsOfRows(values: number): readonly string[] | undefined {
    const { tokens } = this;
    const open = values - 1;
    if (tokens[open] !== '(') return this.#namesBefore(values);
    if (tokens[open - 1] === 'in') return this.#namesBefore(this.#beforeIn(open) + 1);
    return tokens[open - 1] === 'as'
      ? this.#namesBefore(open - 1)
      : this.#namesAfter(this.#closing(open));
  }

  /** The last token before `in` or `not in`, which is before a parenthesis. */
  #beforeIn(open: number): number {
    return this.tokens[open - 2] === 'not' ? open - 3 : open - 2;
  }

  /** The names in parentheses that end right before a token. */
  #namesBefore(end: number): readonly string[] | undefined {
    return this.tokens[end - 1] === ')' ? this.#names(this.#opening(end - 1)) : undefined;
  }

  /** The names in parentheses after `as` and the name of a table. */
  #namesAfter(close: number): readonly string[] | undefined {
    const [as, , open] = this.tokens.slice(close + 1, close + 4);
    return as === 'as' && open === '(' ? this.#names(close + 3) : undefined;
  }

  #names(open: number): readonly string[] {
    const close = this.#closing(open);
    const names: string[] = [];
    for (let at = open + 1; at < close; at += 1) {
      const next = this.tokens[at + 1];
      if (next === ',' || next === ')') names.push(nameIn(this.tokens[at]) ?? '');
    }
    return names;
  }

  /** The name that ends right before a token; none if more is joined to it. */
  #nameBefore(end: number): string | undefined {
    const { tokens } = this;
    if (tokens[end - 1] !== ')') {
      const first = tokens[end - 2] === '.' ? end - 3 : end - 1;
      return tokens[first - 1] === '||' ? undefined : nameIn(tokens[end - 1]);
    }
    const open = this.#opening(end - 1);
    return ONE_OF.has(tokens[open - 1]) ? this.#nameFrom(open + 1) : undefined;
  }

  /** The name that begins with a token, without that of its table; none if more is joined to it. */
  #nameFrom(first: number): string | undefined {
    const { tokens } = this;
    const last = tokens[first + 1] === '.' ? first + 2 : first;
    return tokens[last + 1] === '(' || tokens[last + 1] === '||' ? undefined : nameIn(tokens[last]);
  }

  #opening(close: number): number {
    let depth = 0;
    for (let at = close; at >= 0; at -= 1) {
      if (this.tokens[at] === ')') depth += 1;
      else if (this.tokens[at] === '(') depth -= 1;
      if (depth === 0) return at;
    }
    return -1;
  }

  #closing(open: number): number {
    let depth = 0;
    for (let at = open; at < this.tokens.length; at += 1) {
      if (this.tokens[at] === '(') depth += 1;
      else if (this.tokens[at] === ')') depth -= 1;
      if (depth === 0) return at;
    }
    return -1;
  }
}

function nameIn(token = ''): string | undefined {
  if (token.startsWith('"')) return token.slice(1, -1);
  return /^[a-z_]\w*$/i.test(token) ? token : undefined;
}
