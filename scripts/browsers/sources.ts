import { relative } from 'node:path';
import { API, type Project, type Symbol as KnownSymbol } from 'typescript/unstable/async';
import {
  SyntaxKind,
  isBindingElement,
  isCallExpression,
  isClassDeclaration,
  isClassExpression,
  isExpressionWithTypeArguments,
  isHeritageClause,
  isIdentifier,
  isJsxAttribute,
  isJsxAttributes,
  isObjectBindingPattern,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isTypeNode,
  type Identifier as Name,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import {
  attributesOfAll,
  builtins,
  elements,
  featuresOf,
  interfaces,
  lackersOf,
  memberOf,
  ownOf,
  type Group,
} from './data.ts';
import type { Lacking } from './oldest.ts';

/** The compiler's own declarations of the language and of browsers. */
const LIBRARY = /\/lib\.[\w.]+\.d\.ts$/i;

/** Interfaces that the compiler names differently. */
const NAMES: Readonly<Record<string, string>> = {
  IteratorObject: 'Iterator',
  ReadonlyArray: 'Array',
  ReadonlyMap: 'Map',
  ReadonlySet: 'Set',
  CSSStyleProperties: 'CSSStyleDeclaration',
};

/** The names of everything that a browser lacks. The compiler is asked only about them, because that takes long. */
const LACKING_NAMES = new Set(
  [builtins, interfaces].flatMap((group) =>
    featuresOf(group).flatMap(([owner, described]) => [
      ...(lackersOf(described).length === 0 ? [] : [owner]),
      ...featuresOf(described).flatMap(([name, member]) =>
        lackersOf(member).length === 0 ? [] : [name.replace(/_static$/, '')],
      ),
    ]),
  ),
);

/**
 * Finds in the sources of a project what an oldest supported browser lacks: globals, static methods, and members by the types
 * of their objects, and attributes of elements. A call such as `navigator.setAppBadge?.()` shows that its author knew.
 *
 * @param config The path of the project's configuration.
 * @param isChecked Whether a source is one to check, by its path.
 */
export async function lackingInSources(
  config: string,
  isChecked: (path: string) => boolean,
): Promise<readonly Lacking[]> {
  const compiler = new API({ cwd: import.meta.dirname });
  try {
    const snapshot = await compiler.updateSnapshot({ openProjects: [config] });
    const project = snapshot.getProject(config);
    if (project === undefined) throw new Error(`${config} is not a project`);
    const found: Lacking[] = [];
    for (const path of await project.program.getSourceFileNames()) {
      if (!isChecked(path)) continue;
      const file = await project.program.getSourceFile(path);
      if (file !== undefined) found.push(...(await lackingInFile(project, file)));
    }
    return found;
  } finally {
    await compiler.close();
  }
}

async function lackingInFile(project: Project, file: SourceFile): Promise<readonly Lacking[]> {
  const { names, attributes } = usesIn(file);
  const symbols = await symbolsOf(project, names);
  const known = await Promise.all(symbols.map((symbol) => featureOf(symbol)));
  const uses = [...attributes, ...known.map((feature, index) => ({ feature, node: names[index] }))];
  return uses.flatMap(({ feature, node }) => {
    if (feature === undefined || node === undefined) return [];
    const by = feature.known.map(lackersOf);
    // A member of several interfaces is one that people may use if any of them has it.
    if (by.length === 0 || by.some((browsers) => browsers.length === 0)) return [];
    const where = `${relative(`${import.meta.dirname}/../..`, file.fileName)}:${lineOf(file, node)}`;
    return [{ feature: feature.name, lackedBy: [...new Set(by.flat())], where }];
  });
}

interface Feature {
  readonly name: string;
  /** Its descriptions in the data; several if it may be that of several interfaces. */
  readonly known: readonly Group[];
}

interface Uses {
  readonly names: readonly Name[];
  readonly attributes: readonly { readonly feature: Feature; readonly node: Node }[];
}

function usesIn(file: SourceFile): Uses {
  const names: Name[] = [];
  const attributes: { feature: Feature; node: Node }[] = [];
  const visit = (node: Node): void => {
    if (isTypeNode(node) && !isExtendedClass(node)) return;
    if (isPropertyAssignment(node)) {
      visit(node.initializer);
      return;
    }
    if (isIdentifier(node) && LACKING_NAMES.has(node.text) && !isGuarded(node)) names.push(node);
    const feature = attributeOf(node);
    if (feature !== undefined) attributes.push({ feature, node });
    node.forEachChild(visit);
  };
  file.forEachChild(visit);
  return { names, attributes };
}

/** Returns the symbol of each name. In `const { bytes } = response`, that is the symbol of the member. */
async function symbolsOf(
  { checker }: Project,
  names: readonly Name[],
): Promise<readonly (KnownSymbol | undefined)[]> {
  const symbols = await checker.getSymbolAtLocation(names);
  return Promise.all(
    names.map(async (name, index) => {
      const { parent } = name;
      const isMember =
        isBindingElement(parent) &&
        isObjectBindingPattern(parent.parent) &&
        parent.name === name &&
        parent.propertyName === undefined;
      if (!isMember) return symbols[index];
      const type = await checker.getTypeAtLocation(parent.parent);
      return type && checker.getPropertyOfType(type, name.text);
    }),
  );
}

/** Returns true for the value after `extends` of a class, which the compiler takes for a type. */
function isExtendedClass(node: Node): boolean {
  const { parent } = node;
  return (
    isExpressionWithTypeArguments(node) &&
    isHeritageClause(parent) &&
    parent.token === SyntaxKind.ExtendsKeyword &&
    (isClassDeclaration(parent.parent) || isClassExpression(parent.parent))
  );
}

/** Returns true for the name of a method that is called only if there is one. */
function isGuarded(name: Name): boolean {
  const { parent } = name;
  const call = isPropertyAccessExpression(parent) ? parent.parent : parent;
  return (
    isCallExpression(call) && call.expression === parent && call.questionDotToken !== undefined
  );
}

/** The attribute of an element of the page. Components have a capital letter. */
function attributeOf(node: Node): Feature | undefined {
  if (!isJsxAttribute(node) || !isIdentifier(node.name)) return undefined;
  if (!isJsxAttributes(node.parent)) return undefined;
  const element = node.parent.parent;
  if (!('tagName' in element) || !isIdentifier(element.tagName as Node)) return undefined;
  const tag = (element.tagName as Name).text;
  const attribute = node.name.text.toLowerCase();
  const known = ownOf(ownOf(elements, tag), attribute) ?? ownOf(attributesOfAll, attribute);
  return known === undefined ? undefined : { name: `<${tag} ${attribute}>`, known: [known] };
}

async function featureOf(symbol: KnownSymbol | undefined): Promise<Feature | undefined> {
  if (symbol === undefined || !symbol.declarations.some(({ path }) => LIBRARY.test(path))) {
    return undefined;
  }
  const owner = (await symbol.getParent())?.name;
  const { name } = symbol;
  if (owner === undefined) {
    const known = [builtins, interfaces, ownOf(interfaces, 'Window')]
      .map((group) => ownOf(group, name))
      .find((found) => found !== undefined);
    return known === undefined ? undefined : { name, known: [known] };
  }
  const plain = owner.replace(/Constructor$/, '');
  const type = NAMES[plain] ?? plain;
  const described = [builtins, ownOf(builtins, 'Intl'), interfaces]
    .map((group) => ownOf(group, type))
    .find((found) => found !== undefined);
  const member = memberOf(described, name);
  if (described !== undefined) {
    return member === undefined ? undefined : { name: `${type}.${name}`, known: [member] };
  }
  // What several interfaces have in common has a name of the compiler's, and static members may have none.
  const known = featuresOf(interfaces).flatMap(([, each]) => memberOf(each, name) ?? []);
  return { name: `*.${name}`, known };
}

function lineOf(file: SourceFile, node: Node): number {
  return file.text.slice(0, node.end).split('\n').length;
}
