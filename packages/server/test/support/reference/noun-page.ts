/** Writes the page of one noun: its objects, routes and events. */
import { ERRORS, RATE_LIMITS } from '@hearth/protocol';
import {
  NOUNS,
  nounOfTag,
  type DescribedField,
  type Known,
  type NounName,
} from '@hearth/protocol/descriptions';
import { EVERYTHING, schemasByName } from '@hearth/protocol/descriptions/everything';
import type { z } from 'zod';
import { errorsOf } from '../../../src/http/openapi.ts';
import { CONTENT, isStreamed } from '../../../src/http/route.ts';
import type { Answered } from './answered.ts';
import type { Recording, Refusal } from './record.ts';
import { linkTo, presenceOf, typeOf, unnamedType, type Place } from './types.ts';

const WHO = {
  optional: 'everyone, also without a token',
  user: 'people with an account, with a token',
  session: 'people with an account, with the token of a session',
} as const;

/** The page of a noun. */
export function nounPage(noun: NounName, routes: readonly Answered[]): string {
  const { title, about } = NOUNS[noun];
  const own = routes.filter(({ route }) => nounOfTag(route.tag) === noun);
  const known = EVERYTHING.allKnown().filter((each) => each.noun === noun);
  const objects = known.filter(({ to }) => to === undefined);
  const events = known.filter(({ to }) => to !== undefined);
  return [
    `# ${title}`,
    about,
    ...chapter(
      'Routes',
      own.map((each) => routePart(each, noun)),
    ),
    ...chapter('Objects', objects.map(objectPart)),
    ...chapter('Events', events.map(eventPart)),
  ].join('\n\n');
}

/** The kind of an event, as it is on the wire. */
export function opOf({ name }: Known): string {
  const op = EVERYTHING.fieldsOf(schemaOf(name)).find(({ path }) => path === 'op');
  return String(op?.json['const']);
}

/** The type of what an event is about. */
export function dataOf(event: Known, place: Place): string {
  const d = EVERYTHING.fieldsOf(schemaOf(event.name)).find(({ path }) => path === 'd');
  return d === undefined ? 'nothing' : typeOf(d.schema, d.json, place);
}

function chapter(title: string, parts: readonly string[]): readonly string[] {
  return parts.length === 0 ? [] : [`## ${title}`, ...parts];
}

function routePart({ route, service, recording, callers }: Answered, noun: NounName): string {
  const { method, path, summary, auth, limit, params, query, answers } = route;
  const { body, bodyOfUser, headers, addsHeaders = {} } = route;
  const place: Place = { noun, io: 'input' };
  const title = `### ${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;
  const bounds = RATE_LIMITS[limit].defaults;
  const often = `[${limit}](limits.md): ${bounds.limit} in ${bounds.reset_after} s`;
  const reply = answers === CONTENT ? 'the file' : typeOf(answers, {}, { noun, io: 'output' });
  if (reply === 'anything') {
    throw new Error(`give the answer of ${method} ${path} a schema with a name`);
  }
  const facts = [
    `For ${WHO[auth]}.`,
    ...callers,
    `Limit ${often}.`,
    ...(body === undefined
      ? []
      : [`Body: ${isStreamed(body) ? linkTo(formOf(), place) : bodyType(body, place)}.`]),
    ...(bodyOfUser === undefined ? [] : [`Body with a token: ${bodyType(bodyOfUser, place)}.`]),
    ...Object.keys(headers?.shape ?? {}).map((name) => `Reads the header \`${name}\`.`),
    `Reply: ${reply}.`,
    ...Object.entries(addsHeaders).map(
      ([name, text]) => `Header \`${name}\` of the reply: ${text}.`,
    ),
  ];
  const parameters = [
    ...(params === undefined ? [] : EVERYTHING.fieldsOf(params, { noun })),
    ...(query === undefined ? [] : EVERYTHING.fieldsOf(query, { noun })),
  ];
  const inline =
    body === undefined || isStreamed(body) || EVERYTHING.namedAs(body, noun) !== undefined
      ? []
      : EVERYTHING.fieldsOf(body, { noun });
  return [
    title,
    `${summary}.${service === 'files' ? ' (File service.)' : ''}`,
    facts.map((fact) => `- ${fact}`).join('\n'),
    ...fieldTable('Parameter', parameters, place),
    ...fieldTable('Field of the body', inline, place),
    ...errorsPart(route, recording?.refusals ?? []),
    ...examplePart(recording?.example),
  ].join('\n\n');
}

function bodyType(body: z.core.$ZodType, place: Place): string {
  return typeOf(body, {}, place);
}

function formOf(): Known {
  const form = EVERYTHING.allKnown().find(({ name }) => name === 'uploadForm');
  if (form === undefined) throw new Error('there is no form');
  return form;
}

function errorsPart(route: Answered['route'], refusals: readonly Refusal[]): readonly string[] {
  const errors = errorsOf(route)
    .map((name) => ({
      name,
      status: ERRORS[name].status,
      link: `[${name}](errors.md#${name.toLowerCase()})`,
    }))
    .toSorted((one, other) => one.status - other.status);
  const seen = Map.groupBy(refusals, ({ status }) => status);
  const rows = errors.flatMap(({ status, link }) => {
    const texts = (seen.get(status) ?? []).map(({ code, message }) =>
      code === undefined ? message : `\`${code}\`: ${message}`,
    );
    return [...new Set(texts)].map((text) => `| ${status} | ${link} | ${inCell(text)} |`);
  });
  const others = errors.flatMap(({ status, link }) =>
    seen.has(status) ? [] : [`${status} ${link}`],
  );
  const table = ['| Status | Error | For example |', '|---|---|---|', ...rows].join('\n');
  return [
    ...(rows.length === 0 ? [] : [table]),
    `${rows.length === 0 ? 'Errors' : 'Other errors'}: ${others.join(', ')}.`,
  ];
}

function examplePart(example: Recording['example']): readonly string[] {
  if (example === undefined) return [];
  const { request, reply } = example;
  const command = `\`\`\`sh\n${request}\n\`\`\``;
  return [command, typeof reply === 'string' ? reply : `\`\`\`json\n${written(reply)}\n\`\`\``];
}

/** JSON over several lines, with lists of values in one. */
function written(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/\[\s+[^[\]{}]*?\s+\]/g, (list) =>
    JSON.stringify(JSON.parse(list)).replaceAll('","', '", "'),
  );
}

function objectPart(known: Known): string {
  if (/(Event|Notice)$/.test(known.name)) {
    return [`### ${known.name}`, `${known.about} [Events](events.md) has them.`].join('\n\n');
  }
  const schema = schemaOf(known.name);
  const io = /(Query|Form)$/.test(known.name) ? 'input' : 'output';
  const place: Place = { noun: known.noun, io };
  const fields = EVERYTHING.fieldsOf(schema, { io });
  const shape = fields.length === 0 ? shapeOf(known, place) : [];
  return [`### ${known.name}`, known.about, ...shape, ...fieldTable('Field', fields, place)].join(
    '\n\n',
  );
}

/** The type of a named value that has no fields of its own. */
function shapeOf({ name }: Known, place: Place): readonly string[] {
  const type = unnamedType(schemaOf(name), place);
  if (type === 'object' || type.startsWith(`[${name}]`)) return [];
  if (/^(\[|text|one of)/.test(type)) return [`It is ${type}.`];
  return [`It is ${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}.`];
}

function eventPart(event: Known): string {
  const schema = schemaOf(event.name);
  const place: Place = { noun: event.noun, io: 'output' };
  const fields = EVERYTHING.fieldsOf(schema, { io: 'output' });
  const d = fields.find(({ path }) => path === 'd');
  const isNamed = d !== undefined && EVERYTHING.namedAs(d.schema, undefined) !== undefined;
  const inner = fields.filter(({ path }) => path.startsWith('d.') || path.startsWith('d['));
  return [
    `### ${opOf(event)}${profileOf(event)}`,
    `${event.about}`,
    [`- To: ${event.to ?? ''}`, ...(isNamed ? [`- \`d\`: ${dataOf(event, place)}.`] : [])].join(
      '\n',
    ),
    ...fieldTable('Field', inner, place),
  ].join('\n\n');
}

/** A note that distinguishes events of the same kind. */
function profileOf({ name }: Known): string {
  if (name === 'messageCreate') return ' (profile 0)';
  if (name === 'hello') return ' (profile 1)';
  return name.startsWith('watched') && name !== 'watched' ? ' (watched)' : '';
}

function fieldTable(
  title: string,
  fields: readonly DescribedField[],
  place: Place,
): readonly string[] {
  if (fields.length === 0) return [];
  // A union of objects may have a field several times, with a type in each of them.
  const rows = [...Map.groupBy(fields, ({ path }) => path)].map(([path, [first, ...others]]) => {
    if (first?.text === undefined) throw new Error(`describe ${path} of ${place.noun}`);
    const types = [first, ...others].map(
      ({ schema, json }) => `${typeOf(schema, json, place)}${presenceOf(schema, json)}`,
    );
    return `| \`${path}\` | ${inCell([...new Set(types)].join(' or '))} | ${inCell(first.text)} |`;
  });
  return [[`| ${title} | Type | Meaning |`, '|---|---|---|', ...rows].join('\n')];
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function schemaOf(name: string): z.ZodType {
  const schema = schemasByName()[name];
  if (schema === undefined) throw new Error(`there is no schema of the name ${name}`);
  return schema;
}
