/** Writes the types of fields, as a client author reads them. */
import { PERMISSIONS } from '@hearth/protocol';
import { idSchema, permissionListSchema } from '@hearth/protocol/schemas';
import type { Json, Known, NounName } from '@hearth/protocol/descriptions';
import { EVERYTHING } from '@hearth/protocol/descriptions/everything';
import { z } from 'zod';

/** Names that are listed in full in a type; more are only counted. */
const MOST_LISTED = 12;

const PERMISSION_COUNT = Object.keys(PERMISSIONS).length;

/** The page on which something is written. */
export interface Place {
  readonly noun: NounName;
  readonly io: 'input' | 'output';
}

/** The type of a value, with links to the objects that it names. */
export function typeOf(schema: z.core.$ZodType, json: Json, place: Place): string {
  const inner = EVERYTHING.bare(schema);
  const nullable = isNullable(schema) ? ' or null' : '';
  return `${innerType(inner, withoutNull(json), place)}${nullable}`;
}

/** The end of a type: a default, or that the field may be absent. */
export function presenceOf(schema: z.core.$ZodType, json: Json): string {
  const usual = json['default'];
  if (usual !== undefined) return `, by default \`${JSON.stringify(usual)}\``;
  const isOptional = schema instanceof z.ZodExactOptional || z.safeParse(schema, undefined).success;
  return isOptional ? ', optional' : '';
}

/** A link to a named object. */
export function linkTo({ name, noun, to }: Known, { noun: here }: Place): string {
  const page = noun === here ? '' : `${noun}.md`;
  if (to !== undefined) return `[${name}](${page}#events)`;
  return `[${name}](${page}#${name.toLowerCase()})`;
}

/** The type of a value, without its own name. */
export function unnamedType(schema: z.core.$ZodType, place: Place): string {
  return shapedType(schema, jsonOf(schema, place), place);
}

function innerType(schema: z.core.$ZodType, json: Json, place: Place): string {
  if (schema === permissionListSchema) return 'list of [permissions](permissions.md)';
  const known = EVERYTHING.namedAs(schema, place.noun);
  return known === undefined ? shapedType(schema, json, place) : linkTo(known, place);
}

function shapedType(schema: z.core.$ZodType, json: Json, place: Place): string {
  if (schema instanceof z.ZodArray) {
    const items = json['items'];
    const entry = typeOf(schema.element, isJson(items) ? items : {}, place);
    const most = json['maxItems'];
    return `list of ${entry}${typeof most === 'number' ? `, at most ${most}` : ''}`;
  }
  if (schema instanceof z.ZodUnion) {
    const types = schema.options.map((option) => partType(option, place));
    return [...new Set(types)].join(' or ');
  }
  if (schema instanceof z.ZodRecord)
    return `object with any names, of ${partType(schema.valueType, place)}`;
  if (schema instanceof z.ZodTuple) {
    return `list: ${schema.def.items.map((item) => partType(item, place)).join(', then ')}`;
  }
  if (schema instanceof z.ZodFile) return 'file';
  return scalarType(json);
}

function partType(schema: z.core.$ZodType, place: Place): string {
  return typeOf(schema, jsonOf(schema, place), place);
}

function scalarType(json: Json): string {
  const { const: only, enum: names, type } = json;
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (Array.isArray(names)) {
    if (names.length === PERMISSION_COUNT) return '[permission](permissions.md)';
    if (names.length > MOST_LISTED) return `one of ${names.length} names`;
    return names.map((name) => `\`${String(name)}\``).join(', ');
  }
  switch (type) {
    case 'string':
      return textType(json);
    case 'integer':
    case 'number':
      return numberType(json);
    default:
      return typeof type === 'string' ? type : 'anything';
  }
}

function textType({ pattern, minLength: least, maxLength: most }: Json): string {
  if (pattern === ID_JSON['pattern'] && pattern !== undefined) return '[id](gateway.md#id)';
  if (typeof most !== 'number') return 'text';
  return typeof least === 'number' && least > 0
    ? `text of ${least} to ${most} characters`
    : `text of at most ${most} characters`;
}

function numberType(json: Json): string {
  const { type, minimum, exclusiveMinimum, maximum } = json;
  const least = typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : minimum;
  const isBounded = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER;
  const name = String(type);
  if (isBounded) return `${name} from ${String(least)} to ${maximum}`;
  return typeof least === 'number' && least > 0 ? `${name}, at least ${least}` : name;
}

const ID_JSON = EVERYTHING.describedJson(idSchema);

function jsonOf(schema: z.core.$ZodType, { io }: Place): Json {
  return EVERYTHING.describedJson(schema, { io });
}

function isNullable(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodNullable) return true;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodExactOptional) {
    return isNullable(schema.unwrap());
  }
  return false;
}

function withoutNull(json: Json): Json {
  const { anyOf, type } = json;
  if (Array.isArray(type)) return { ...json, type: type.find((each) => each !== 'null') };
  if (!Array.isArray(anyOf)) return json;
  const [first, second]: readonly unknown[] = anyOf;
  return isJson(first) && isJson(second) && second['type'] === 'null' ? first : json;
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}
