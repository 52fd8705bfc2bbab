import data, { type Identifier } from '@mdn/browser-compat-data';
import { lackedBy } from './oldest.ts';

/** A group of features, or none: the data may have no such group. */
export type Group = Identifier | undefined;

const { javascript, api, css, html } = data;

/** Objects of the language, such as `Map`. */
export const builtins: Group = javascript['builtins'];
/** Interfaces of browsers, such as `Element`. */
export const interfaces: Group = api;
export const elements: Group = html['elements'];
export const attributesOfAll: Group = html['global_attributes'];
export const styles = {
  properties: css['properties'],
  selectors: css['selectors'],
  types: css['types'],
  rules: css['at-rules'],
} satisfies Readonly<Record<string, Group>>;

/** A feature of a group by its name, or undefined. */
export function ownOf(group: Group, name: string): Group {
  return group !== undefined && Object.hasOwn(group, name) ? group[name] : undefined;
}

/** The features of a group with their names. */
export function featuresOf(group: Group): readonly (readonly [string, Identifier])[] {
  return Object.keys(group ?? {}).flatMap((name) => {
    const feature = name === '__compat' ? undefined : ownOf(group, name);
    return feature === undefined ? [] : [[name, feature] as const];
  });
}

/** The member of an interface, which may be static. */
export function memberOf(group: Group, name: string): Group {
  return ownOf(group, name) ?? ownOf(group, `${name}_static`);
}

/** The oldest supported browsers that lack a feature; none if the data does not know it. */
export function lackersOf(feature: Group): readonly string[] {
  const compat = feature?.__compat;
  return compat === undefined ? [] : lackedBy(compat);
}
