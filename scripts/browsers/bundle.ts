import { parse, type Node } from 'acorn';
import {
  builtins,
  featuresOf,
  interfaces,
  lackersOf,
  memberOf,
  ownOf,
  type Group,
} from './data.ts';
import type { Lacking } from './oldest.ts';

/** The version of the language that all of the oldest supported browsers parse. */
const LANGUAGE = 2024;

/** Interfaces whose members libraries use. Of all others, the names of members are those of too many other things. */
const COMMON =
  'AbortSignal Blob Document Element HTMLElement Navigator ReadableStream Request Response Window'.split(
    ' ',
  );

/** Members that a browser lacks, by their names. */
const LACKING_MEMBERS = lackingMembers();

/**
 * Finds in the scripts of a build what an oldest supported browser lacks: syntax, constructors, static methods, and members
 * by their names, except names that the scripts give to properties of their own. Libraries are included.
 */
export function lackingInScripts(scripts: ReadonlyMap<string, string>): readonly Lacking[] {
  const found: Lacking[] = [];
  const own = new Set<string>();
  for (const [path, text] of scripts) {
    const tree = parsed(path, text);
    if ('feature' in tree) found.push(tree);
    else {
      walk(tree, (node) => {
        const name = definedBy(node);
        if (name !== undefined) own.add(name);
        for (const [feature, lackedBy] of usedBy(node)) {
          found.push({ feature, lackedBy, where: `${path}: …${excerpt(text, node)}…` });
        }
      });
    }
  }
  return found.filter(({ feature }) => !own.has(feature.replace('*.', '')));
}

function parsed(path: string, text: string): Node | Lacking {
  try {
    return parse(text, { ecmaVersion: LANGUAGE, sourceType: 'module' });
  } catch (error) {
    const where = `${path}: ${error instanceof Error ? error.message : String(error)}`;
    return { feature: 'syntax', lackedBy: [`ES${LANGUAGE}`], where };
  }
}

/** The fields of nodes that refer to constructors. */
const CONSTRUCTING: Readonly<Record<string, string>> = {
  NewExpression: 'callee',
  ClassDeclaration: 'superClass',
  ClassExpression: 'superClass',
};

type Use = readonly [feature: string, lackedBy: readonly string[]];

function usedBy(node: Node): readonly Use[] {
  const use = (feature: string, lackedBy: readonly string[] = []): readonly Use[] =>
    lackedBy.length === 0 ? [] : [[feature, lackedBy]];
  const made = CONSTRUCTING[node.type];
  if (made !== undefined) {
    const name = nameOf(fieldOf(node, made)) ?? '';
    return use(name, lackersOf(globalNamed(name)));
  }
  if (node.type !== 'MemberExpression' || fieldOf(node, 'computed') === true) return [];
  const name = nameOf(fieldOf(node, 'property')) ?? '';
  const object = nameOf(fieldOf(node, 'object')) ?? '';
  const fixed = memberOf(globalNamed(object), name);
  if (fixed !== undefined) return use(`${object}.${name}`, lackersOf(fixed));
  return use(`*.${name}`, LACKING_MEMBERS.get(name));
}

const DEFINING: readonly string[] = ['Property', 'MethodDefinition', 'PropertyDefinition'];

function definedBy(node: Node): string | undefined {
  if (!DEFINING.includes(node.type) || fieldOf(node, 'computed') === true) return undefined;
  return nameOf(fieldOf(node, 'key'));
}

function lackingMembers(): ReadonlyMap<string, readonly string[]> {
  const lacking = new Map<string, readonly string[]>();
  const known = new Set<string>();
  for (const group of [builtins, interfaces]) {
    for (const [owner, members] of featuresOf(group)) {
      for (const [name, member] of featuresOf(members)) {
        if (/_(static|event)$/.test(name) || name === owner) continue;
        const by = lackersOf(member);
        if (by.length === 0) known.add(name);
        else if (group === builtins || COMMON.includes(owner)) lacking.set(name, by);
      }
    }
  }
  for (const name of known) lacking.delete(name);
  return lacking;
}

function globalNamed(name: string): Group {
  return ownOf(builtins, name) ?? ownOf(interfaces, name);
}

function fieldOf(node: Node, name: string): unknown {
  return Reflect.get(node, name);
}

function nameOf(node: unknown): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined;
  const name: unknown = Reflect.get(node, 'name');
  return typeof name === 'string' ? name : undefined;
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, visit);
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** The number of characters that are shown on each side of a use. */
const CONTEXT = 30;

function excerpt(text: string, { start, end }: Node): string {
  return text.slice(Math.max(0, start - CONTEXT), Math.min(end, start + CONTEXT) + CONTEXT);
}
