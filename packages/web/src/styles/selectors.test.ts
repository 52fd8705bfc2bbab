import { expect, test } from 'bun:test';
import { parse as parseScript, type AnyNode } from 'acorn';
import { parse as parseStyles, walk, type CssNode } from 'css-tree';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SRC = join(import.meta.dirname, '..');
const MOST_LINES = 400;

const numbered = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`);

/** The classes that parts of class attributes stand for which are computed, by their source. */
const COMPUTED: Readonly<Record<string, readonly string[]>> = {
  '${nameColour()}': [...numbered('hue-', 16), ...numbered('tone-', 2)],
  'align-${align}': ['align-left', 'align-center', 'align-right'],
  'banner-${tone}': ['banner-danger', 'banner-warning'],
  'button-${look}': ['button-primary', 'button-danger'],
  'flame-${size}': ['flame-small', 'flame-large'],
  'heading-${min()}': ['heading-1', 'heading-2', 'heading-3'],
  'status-${replace()}': [
    'status-connecting',
    'status-catching-up',
    'status-offline',
    'status-reconnecting',
    'status-rate-limited',
    'status-closed',
    'status-banned',
  ],
};

/** Classes that other code writes: the server's pages without script, and a script for old browsers. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  plain: '../../server/src/components/web/page.ts',
  'page-notice': 'too-old.js',
};

/** The prefix that the highlighter writes before the names of its scopes. */
const HIGHLIGHTED = 'hljs-';

/** The names in the sources of the page. */
interface Named {
  readonly classes: Set<string>;
  readonly computed: Set<string>;
  /** Names of data attributes. */
  readonly data: Set<string>;
  /** Names of custom properties that are set or used. */
  readonly properties: Set<string>;
  /** Class attributes that are none of the usual expressions. */
  readonly unclear: string[];
}

function namedBy(sources: readonly (readonly [file: string, text: string])[]): Named {
  const named: Named = {
    classes: new Set(),
    computed: new Set(),
    data: new Set(),
    properties: new Set(),
    unclear: [],
  };
  for (const [file, text] of sources) readScript(file, text, named);
  return named;
}

function readScript(file: string, text: string, named: Named): void {
  const transpiler = new Bun.Transpiler({ loader: file.endsWith('x') ? 'tsx' : 'ts' });
  const script = transpiler.transformSync(text);
  const nodes = [...nodesOf(parseScript(script, { ecmaVersion: 'latest', sourceType: 'module' }))];
  const readers = new ClassReader(nodes, named);
  for (const node of nodes) {
    if (node.type === 'Property' && node.value.type !== 'AssignmentPattern') {
      const key = node.key.type === 'Identifier' ? node.key.name : literal(node.key);
      // `class: look` of a component takes what others give it.
      if (key === 'class' && !isPattern(node, nodes)) {
        if (!readers.read(node.value)) named.unclear.push(`${file}: ${sourceOf(node.value)}`);
      }
      if (key?.startsWith('data-') === true) named.data.add(key);
    }
    if (node.type === 'MemberExpression' && isDataset(node.object)) {
      const name = node.computed ? literal(node.property) : sourceOf(node.property);
      named.data.add(
        `data-${(name ?? '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      );
    }
  }
  for (const [name] of script.matchAll(/--[a-z][\w-]*/g)) named.properties.add(name);
}

/** Collects the classes of expressions. */
class ClassReader {
  readonly #nodes: readonly AnyNode[];
  readonly #named: Named;

  constructor(nodes: readonly AnyNode[], named: Named) {
    this.#nodes = nodes;
    this.#named = named;
  }

  /** Returns whether the expression is one of the usual ones. */
  read(node: AnyNode): boolean {
    const { classes, computed } = this.#named;
    if (node.type === 'ConditionalExpression') {
      return this.read(node.consequent) && this.read(node.alternate);
    }
    if (node.type === 'Identifier') {
      return node.name === 'undefined' || this.#readVariable(node.name);
    }
    if (node.type === 'Literal') for (const name of words(String(node.value))) classes.add(name);
    else if (node.type === 'CallExpression') computed.add(`\${${sourceOf(node)}}`);
    else if (node.type === 'TemplateLiteral') this.#readTemplate(node);
    else return node.type === 'UnaryExpression' && node.operator === 'void';
    return true;
  }

  #readVariable(name: string): boolean {
    const values = this.#nodes.flatMap((node) =>
      node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.id.name === name
        ? (node.init ?? [])
        : [],
    );
    // A parameter that a component passes on was read where it is given.
    const isPassedOn = this.#nodes.some(
      (node) =>
        node.type === 'Property' &&
        node.value.type === 'Identifier' &&
        node.value.name === name &&
        isPattern(node, this.#nodes),
    );
    return values.length > 0 ? values.every((value) => this.read(value)) : isPassedOn;
  }

  #readTemplate(node: Extract<AnyNode, { type: 'TemplateLiteral' }>): void {
    const text = node.quasis.map(({ value }, at) => {
      const expression = node.expressions[at];
      return `${value.cooked}${expression === undefined ? '' : `\${${sourceOf(expression)}}`}`;
    });
    for (const name of words(text.join(''))) {
      (name.includes('${') ? this.#named.computed : this.#named.classes).add(name);
    }
  }
}

function* nodesOf(node: unknown): Generator<AnyNode> {
  if (Array.isArray(node)) for (const each of node) yield* nodesOf(each);
  else if (typeof node === 'object' && node !== null && 'type' in node) {
    // Guarantee: what has a type in a syntax tree is a node.
    yield node as AnyNode;
    for (const part of Object.values(node)) yield* nodesOf(part);
  }
}

/** Returns whether a property takes a part of an object, instead of giving it one. */
function isPattern(property: AnyNode, nodes: readonly AnyNode[]): boolean {
  return nodes.some(
    (node) => node.type === 'ObjectPattern' && node.properties.some((each) => each === property),
  );
}

/** An expression in few words: what is called, or what is read. */
function sourceOf(node: AnyNode): string {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'MemberExpression') return sourceOf(node.property);
  return node.type === 'CallExpression' ? `${sourceOf(node.callee)}()` : node.type;
}

function isDataset(node: AnyNode): boolean {
  return sourceOf(node) === 'dataset';
}

function literal(node: AnyNode): string | undefined {
  return node.type === 'Literal' ? String(node.value) : undefined;
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** Returns what style sheets name. */
function stylesOf(sheets: readonly string[]) {
  const found = {
    classes: new Set<string>(),
    data: new Set<string>(),
    ids: new Set<string>(),
    defined: new Set<string>(),
    used: new Set<string>(),
    keyframes: new Set<string>(),
    animations: new Set<string>(),
  };
  const read = (node: CssNode) => {
    if (node.type === 'ClassSelector') found.classes.add(node.name);
    if (node.type === 'IdSelector') found.ids.add(node.name);
    if (node.type === 'AttributeSelector' && node.name.name.startsWith('data-')) {
      found.data.add(node.name.name);
    }
    if (node.type === 'Declaration' && node.property.startsWith('--')) {
      found.defined.add(node.property);
    }
    if (node.type === 'Declaration' && /^animation(-name)?$/.test(node.property)) {
      walk(node, (part) => {
        if (part.type === 'Identifier') found.animations.add(part.name);
      });
    }
    if (node.type === 'Function' && node.name === 'var') {
      const [first] = node.children;
      if (first?.type === 'Identifier') found.used.add(first.name);
    }
    if (
      node.type === 'Atrule' &&
      node.name === 'keyframes' &&
      node.prelude?.type === 'AtrulePrelude'
    ) {
      const [first] = node.prelude.children;
      if (first?.type === 'Identifier') found.keyframes.add(first.name);
    }
  };
  for (const sheet of sheets) walk(parseStyles(sheet, { parseCustomProperty: true }), read);
  return found;
}

const sheets = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.css'));
const textOf = (sheet: string) => readFileSync(join(import.meta.dirname, sheet), 'utf8');
const styles = stylesOf(sheets.map(textOf));
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.(?:test|d)\.tsx?$/.test(file),
);
const named = namedBy(files.map((file) => [file, readFileSync(join(SRC, file), 'utf8')]));

test('no style sheet has more than 400 lines, and the page has all of them', () => {
  const long = sheets.filter((sheet) => textOf(sheet).split('\n').length - 1 > MOST_LINES);
  expect(long).toEqual([]);
  const imported = Array.from(
    textOf('index.css').matchAll(/^@import '\.\/(.*)';$/gm),
    ([, sheet = '']) => sheet,
  );
  expect(imported.toSorted()).toEqual(sheets.filter((sheet) => sheet !== 'index.css').toSorted());
});

test('every class attribute says which classes it has', () => {
  expect(named.classes.size).toBeGreaterThan(500);
  expect(named.unclear).toEqual([]);
  expect([...named.computed].toSorted()).toEqual(Object.keys(COMPUTED).toSorted());
});

test('every class of the styles is one that the page has', () => {
  const elsewhere = Object.entries(ELSEWHERE).flatMap(([name, file]) =>
    new RegExp(`['"]${name}['"]`).test(readFileSync(join(SRC, file), 'utf8')) ? [name] : [],
  );
  const known = new Set([...named.classes, ...Object.values(COMPUTED).flat(), ...elsewhere]);
  const unknown = [...styles.classes].filter((name) => !known.has(name));
  expect(styles.classes.size).toBeGreaterThan(500);
  expect(unknown.filter((name) => !name.startsWith(HIGHLIGHTED))).toEqual([]);
  const library = dirname(Bun.resolveSync('highlight.js/lib/core', SRC));
  const languages = readdirSync(join(library, 'languages')).map((name) => `languages/${name}`);
  const grammars = ['core.js', ...languages].map((name) =>
    readFileSync(join(library, name), 'utf8'),
  );
  const scopes = unknown.map((name) => name.slice(HIGHLIGHTED.length));
  const isScope = (name: string) =>
    grammars.some((text) => new RegExp(`['"]${name}['"]`).test(text));
  expect(scopes.filter((name) => !isScope(name))).toEqual([]);
});

test('every data attribute, id, animation and property of the styles is used', () => {
  expect(styles.data.size).toBeGreaterThan(30);
  const page = readFileSync(join(SRC, 'index.html'), 'utf8');
  const isUsed = (name: string) => styles.used.has(name) || named.properties.has(name);
  expect({
    data: [...styles.data].filter((name) => !named.data.has(name)),
    ids: [...styles.ids].filter((id) => !page.includes(`id="${id}"`)),
    keyframes: [...styles.keyframes].filter((name) => !styles.animations.has(name)),
    properties: [...styles.defined].filter((name) => !isUsed(name)),
  }).toEqual({ data: [], ids: [], keyframes: [], properties: [] });
});

test('names in other strings are no classes, and computed parts and unclear attributes are found', () => {
  const source = `
    const look = isOn ? 'bright wide' : undefined;
    export const A = () => <p title="dark" class={look} data-is-on={isOn}>{'narrow'}</p>;
    export const B = ({ class: given }) => <A class={given} />;
    export const C = () => <b class={\`all tone-\${of(1)} size-\${a.size}\`} style={{ '--far': 1 }} />;
    export const D = () => <i class={[a, b].join(' ')} />;
    document.documentElement.dataset['veryMuch'] = 'dark';`;
  const { classes, computed, data, properties, unclear } = namedBy([['a.tsx', source]]);
  expect([...classes]).toEqual(['bright', 'wide', 'all']);
  expect([...computed]).toEqual(['tone-${of()}', 'size-${size}', '${join()}']);
  expect([...data]).toEqual(['data-is-on', 'data-very-much']);
  expect([...properties]).toEqual(['--far']);
  expect(unclear).toEqual([]);
  const found = stylesOf([
    '.a:not(.b) > [data-c]::before { --d: 1; animation: e 1s } @keyframes e {}',
  ]);
  expect([found.classes, found.data, found.defined, found.animations.has('e')]).toEqual([
    new Set(['a', 'b']),
    new Set(['data-c']),
    new Set(['--d']),
    true,
  ]);
});
