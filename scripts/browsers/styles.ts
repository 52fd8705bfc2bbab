import { parse, walk, type CssNode } from 'css-tree';
import { featuresOf, lackersOf, ownOf, styles, type Group } from './data.ts';
import type { Lacking } from './oldest.ts';

const { properties, selectors, types, rules } = styles;

/** The number of characters that are shown of a use. */
const SHOWN = 60;

/**
 * Finds in a stylesheet what an oldest supported browser lacks: rules, properties, values, units and selectors. What is inside
 * `@supports` may be anything, and a property may have its prefixed form beside it.
 */
export function lackingInStyles(path: string, text: string): readonly Lacking[] {
  const found: Lacking[] = [];
  const onParseError = ({ message }: Error) => {
    found.push({ feature: 'syntax', lackedBy: ['CSS'], where: `${path}: ${message}` });
  };
  const blocks: ReadonlySet<string>[] = [];
  let conditions = 0;
  const enter = (node: CssNode) => {
    if (isSupports(node)) conditions += 1;
    if (node.type === 'Block') blocks.push(propertiesIn(node));
    if (conditions > 0) return;
    for (const [feature, known] of usedBy(node)) {
      const lackedBy = lackersOf(known);
      if (lackedBy.length === 0 || blocks.at(-1)?.has(`-webkit-${feature.split(':')[0]}`)) continue;
      const from = node.loc?.start.offset ?? 0;
      found.push({ feature, lackedBy, where: `${path}: ${text.slice(from, from + SHOWN)}…` });
    }
  };
  const leave = (node: CssNode) => {
    if (isSupports(node)) conditions -= 1;
    if (node.type === 'Block') blocks.pop();
  };
  walk(parse(text, { positions: true, onParseError }), { enter, leave });
  return found;
}

type Use = readonly [feature: string, known: Group];

function usedBy(node: CssNode): readonly Use[] {
  if (node.type === 'Atrule') return [[`@${node.name}`, ownOf(rules, node.name)]];
  if (node.type === 'NestingSelector') return [['&', ownOf(selectors, 'nesting')]];
  if (node.type === 'PseudoClassSelector') return [[`:${node.name}`, ownOf(selectors, node.name)]];
  if (node.type === 'PseudoElementSelector')
    return [[`::${node.name}`, ownOf(selectors, node.name)]];
  if (node.type !== 'Declaration') return [];
  const { property, value } = node;
  return [[property, ownOf(properties, property)], ...valuesIn(property, value)];
}

function valuesIn(property: string, value: CssNode): readonly Use[] {
  const known = ownOf(properties, property);
  const found: Use[] = [];
  // The property itself is reported.
  if (lackersOf(known).length > 0) return found;
  walk(value, (node) => {
    if (node.type === 'Identifier' || node.type === 'Function') {
      const feature = ownOf(known, node.name) ?? typeNamed(node.name);
      found.push([`${property}: ${node.name}`, feature]);
    }
    if (node.type === 'Dimension') {
      found.push([`${property}: ${node.unit}`, ownOf(ownOf(types, 'length'), node.unit)]);
    }
  });
  return found;
}

/** A function such as `light-dark`, which may be described below the type that it makes. */
function typeNamed(name: string): Group {
  const nested = featuresOf(types).map(([, type]) => ownOf(type, name));
  return ownOf(types, name) ?? nested.find((type) => type !== undefined);
}

function propertiesIn(block: CssNode): ReadonlySet<string> {
  const children = block.type === 'Block' ? block.children.toArray() : [];
  return new Set(
    children.flatMap((child) => (child.type === 'Declaration' ? [child.property] : [])),
  );
}

function isSupports(node: CssNode): boolean {
  return node.type === 'Atrule' && node.name === 'supports';
}
