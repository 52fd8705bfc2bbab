import { z } from 'zod';
import { idSchema } from '../id-schema.ts';
import { NOUN_NAMES, NOUNS, type NounName } from './nouns.ts';
import { COMMON, type Fields, type NounDescription } from './noun.ts';
import type { NamedSchemas } from './named-schemas.ts';
import { once } from './once.ts';

/** A schema that has a name: an object or an event of a page. */
export interface Known {
  readonly name: string;
  readonly noun: NounName;
  readonly about: string;
  /** The clients that are sent it, if it is an event. */
  readonly to?: string;
  readonly fields: Fields;
}

/** A JSON Schema. */
export type Json = Readonly<Record<string, unknown>>;

/** A field of an object, as a client author reads about it. */
export interface DescribedField {
  /** Its names from the described object on, such as `options[].id`. */
  readonly path: string;
  readonly schema: z.core.$ZodType;
  readonly json: Json;
  readonly text: string | undefined;
}

/** Options of a description. */
export interface Describing {
  /** `input` for what is sent, and `output` for what is parsed from it. */
  readonly io?: 'input' | 'output';
  /** The page on which fields are looked up that belong to no named object, such as the parameters of a path. */
  readonly noun?: NounName | undefined;
  /** Descriptions of the fields of a schema without a name. */
  readonly fields?: Fields;
}

/** The place of a walk. */
interface Context {
  /** Descriptions of the fields of the named object. */
  readonly own: Fields;
  readonly noun: NounName | undefined;
  /** Names from the owner on. */
  readonly names: readonly string[];
  readonly path: string;
  /** Stops at other named objects. */
  readonly isFlat?: boolean;
  readonly visit: Visit;
}

type Visit = (field: DescribedField) => void;

/** Descriptions of schemas that have a name, and of what is made of them. */
export class Descriptions {
  readonly #schemas: () => NamedSchemas;

  /** Everything that is described, by its schema. */
  readonly #known = once(
    () => new Map(NOUN_NAMES.flatMap((noun) => this.#knownOf(noun, NOUNS[noun]))),
  );

  /** The named objects that have a schema as a field. Those of ids are everywhere. */
  readonly #uses = once(() =>
    Map.groupBy(
      [...this.#known()].flatMap(([schema, known]) =>
        schema instanceof z.ZodObject
          ? Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, field]) =>
              field === idSchema ? [] : [{ name, known, field }],
            )
          : [],
      ),
      ({ field }) => field,
    ),
  );

  /** Takes the schemas by their names, which are made on the first use. */
  constructor(schemas: () => NamedSchemas) {
    this.#schemas = schemas;
  }

  /** Every named object and event, in the order of the pages. */
  allKnown(): readonly Known[] {
    return [...this.#known().values()];
  }

  /** The name, page and description of a schema that has a name. */
  knownAs(schema: z.core.$ZodType): Known | undefined {
    return this.#known().get(schema);
  }

  /** The named object that a schema is, perhaps with another limit, on a page. */
  namedAs(schema: z.core.$ZodType, noun: NounName | undefined): Known | undefined {
    return this.knownAs(schema) ?? this.#namesakeOf(schema, noun);
  }

  /** The JSON Schema of what is sent, with descriptions. */
  describedJson(schema: z.core.$ZodType, describing: Describing = {}): Json {
    const json = jsonOf(schema, describing);
    const visit: Visit = ({ text, json: field }) => {
      if (text !== undefined) Object.assign(field, { description: text });
    };
    this.#walk(schema, json, { ...this.#contextOf(schema, describing), visit });
    return { description: this.knownAs(schema)?.about, ...json };
  }

  /** All fields of a schema, at any depth but not within other named objects. */
  fieldsOf(schema: z.core.$ZodType, describing: Describing = {}): readonly DescribedField[] {
    const fields: DescribedField[] = [];
    const visit: Visit = (field) => fields.push(field);
    const context = { ...this.#contextOf(schema, describing), isFlat: true, visit };
    this.#walk(schema, jsonOf(schema, describing), context);
    return fields;
  }

  /** The schema within optional ones, those with a default, and the like. */
  bare(schema: z.core.$ZodType): z.core.$ZodType {
    if (this.#known().has(schema)) return schema;
    if (
      schema instanceof z.ZodOptional ||
      schema instanceof z.ZodExactOptional ||
      schema instanceof z.ZodNullable ||
      schema instanceof z.ZodDefault
    ) {
      return this.bare(schema.unwrap());
    }
    return schema;
  }

  #contextOf(schema: z.core.$ZodType, { noun, fields }: Describing): Omit<Context, 'visit'> {
    const known = this.namedAs(schema, noun) ?? this.#relativeOf(schema);
    return { own: fields ?? known?.fields ?? {}, noun: known?.noun ?? noun, names: [], path: '' };
  }

  #walk(given: z.core.$ZodType, json: Json, context: Context): void {
    const schema = this.bare(given);
    const inner = schema === given ? json : withoutNull(json);
    const known = context.path === '' ? undefined : this.knownAs(schema);
    if (known !== undefined) {
      if (context.isFlat === true) return;
      const next = { ...context, own: known.fields, noun: known.noun, names: [] };
      return this.#walkInto(schema, inner, next);
    }
    this.#walkInto(schema, inner, context);
  }

  #walkInto(schema: z.core.$ZodType, json: Json, context: Context): void {
    if (schema instanceof z.ZodObject) return this.#walkObject(schema, json, context);
    const { path } = context;
    if (schema instanceof z.ZodArray) {
      this.#walk(schema.element, partOf(json, 'items'), { ...context, path: `${path}[]` });
    } else if (schema instanceof z.ZodUnion) {
      schema.options.forEach((option, at) => {
        const part = partOf(partOf(json, 'anyOf' in json ? 'anyOf' : 'oneOf'), at);
        if (context.isFlat === true && this.knownAs(option) !== undefined) return;
        const known = this.knownAs(option) ?? this.#relativeOf(option);
        const own = known?.fields ?? context.own;
        this.#walkInto(this.bare(option), part, {
          ...context,
          own,
          noun: known?.noun ?? context.noun,
        });
      });
    }
  }

  #walkObject(schema: z.ZodObject, json: Json, context: Context): void {
    const relative = context.names.length === 0 ? undefined : this.#relativeOf(schema);
    for (const [name, field] of Object.entries<z.core.$ZodType>(schema.shape)) {
      const part = partOf(partOf(json, 'properties'), name);
      const names = [...context.names, name];
      const path = context.path === '' ? name : `${context.path}.${name}`;
      context.visit({ path, schema: field, json: part, text: textFor(names, context, relative) });
      this.#walk(field, part, { ...context, names, path });
    }
  }

  /** The named object of the page with the same fields: one that is made with another limit. */
  #namesakeOf(schema: z.core.$ZodType, noun: NounName | undefined): Known | undefined {
    if (!(schema instanceof z.ZodObject)) return undefined;
    const names = namesIn(schema);
    for (const [other, known] of this.#known()) {
      if (known.noun === noun && other instanceof z.ZodObject && namesIn(other) === names)
        return known;
    }
    return undefined;
  }

  /** The named object that an object without a name shares most of its fields with, and at least half of them. */
  #relativeOf(schema: z.core.$ZodType): Known | undefined {
    if (!(schema instanceof z.ZodObject)) return undefined;
    const fields = Object.entries<z.core.$ZodType>(schema.shape);
    const shared = new Map<Known, number>();
    for (const [name, field] of fields) {
      for (const use of this.#uses().get(field) ?? []) {
        if (use.name === name) shared.set(use.known, (shared.get(use.known) ?? 0) + 1);
      }
    }
    const [first] = [...shared].toSorted(([, one], [, other]) => other - one);
    return first !== undefined && first[1] >= Math.max(2, fields.length / 2) ? first[0] : undefined;
  }

  #knownOf(noun: NounName, page: NounDescription): readonly (readonly [z.core.$ZodType, Known])[] {
    const objects = Object.entries(page.objects).map(([name, given]) => {
      const [about, fields] = typeof given === 'string' ? [given, {}] : given;
      return { name, noun, about, fields };
    });
    const events = Object.entries(page.events ?? {}).map(([name, { fields = {}, ...rest }]) => {
      return { name, noun, ...rest, fields };
    });
    const schemas = this.#schemas();
    return [...objects, ...events].flatMap((known) => {
      const schema = schemas[known.name];
      return schema === undefined ? [] : [[schema, known] as const];
    });
  }
}

/** A text for the last of the names: that of the object, then that of a related one, then that of the page. */
function textFor(
  names: readonly string[],
  { own, noun }: Context,
  relative: Known | undefined,
): string | undefined {
  const name = names.at(-1) ?? '';
  const dotted = names.slice(-2).join('.');
  const pages = [relative?.noun, noun].map((each) =>
    each === undefined ? {} : NOUNS[each].fields,
  );
  const tables: readonly Fields[] = [own, relative?.fields ?? {}, ...pages, COMMON];
  const texts = [dotted, name].flatMap((each) => tables.map((table) => table[each]));
  return texts.find((text) => text !== undefined);
}

function namesIn(schema: z.ZodObject): string {
  return Object.keys(schema.shape).toSorted().join(' ');
}

function jsonOf(schema: z.core.$ZodType, { io = 'input' }: Describing): Json {
  return { ...z.toJSONSchema(schema, { io }) };
}

/** A part of a JSON Schema; empty if there is none. */
function partOf(json: unknown, name: string | number): Json {
  const part: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, name) : {};
  // Guarantee: the parts that are asked for are schemas, or objects of them.
  return (typeof part === 'object' && part !== null ? part : {}) as Json;
}

/** The schema of the values besides null. */
function withoutNull(json: Json): Json {
  return partOf(partOf(json, 'anyOf'), 1)['type'] === 'null'
    ? partOf(partOf(json, 'anyOf'), 0)
    : json;
}
