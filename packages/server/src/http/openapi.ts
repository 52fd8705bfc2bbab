import {
  ERRORS,
  instanceVersion,
  RATE_LIMIT_HEADERS,
  RATE_LIMITS,
  type ErrorName,
  type RateLimitKind,
} from '@hearth/protocol';
import {
  ERROR_FIELDS,
  NOUNS,
  nounOfTag,
  OBJECTS,
  type Describing,
} from '@hearth/protocol/descriptions';
import { errorSchemaOf, openApiSchema } from '@hearth/protocol/schemas';
import { z, type ZodObject, type ZodType } from 'zod';
import type { Context } from '../context.ts';
import { HEARTH_VERSION } from '../lib/version.ts';
import { CONTENT, isStreamed, route, type Route } from './route.ts';
import { takenBody } from './taken-body.ts';

/** The title and texts that describe a component. */
export interface ApiInfo {
  readonly title: string;
  readonly url: string;
  /** The limit that a request for the document counts in. */
  readonly limit: Route['limit'];
}

type Json = Readonly<Record<string, unknown>>;

/** The name of the security scheme. */
const TOKEN = 'token';

const LIMIT_HEADERS: readonly (readonly [name: string, about: string])[] = [
  [RATE_LIMIT_HEADERS.reset, 'Length of a time frame, in milliseconds'],
  [RATE_LIMIT_HEADERS.max, 'Most requests in a time frame'],
  [RATE_LIMIT_HEADERS.lastReset, 'Start of the time frame, in Unix milliseconds'],
  [RATE_LIMIT_HEADERS.requestCount, 'Requests of the client in this time frame'],
];

const BYTE_HEADERS: readonly (readonly [name: string, about: string])[] = [
  [RATE_LIMIT_HEADERS.byteMax, 'Most bytes in a time frame'],
  [RATE_LIMIT_HEADERS.sentBytes, 'Bytes of the client in this time frame'],
];

/** The routes and one more, `GET /openapi.json`, which describes them all. */
export function withOpenApi<Ctx extends Context>(
  routes: readonly Route<Ctx>[],
  info: ApiInfo,
): readonly Route<Ctx>[] {
  const all: readonly Route<Ctx>[] = [
    ...routes,
    route({
      method: 'GET',
      path: '/openapi.json',
      name: 'describeApi',
      tag: 'instance',
      summary: 'Read this document',
      limit: info.limit,
      auth: 'optional',
      answers: openApiSchema,
      isConstant: true,
      handle: () => describeApi(all, info),
    }),
  ];
  return all;
}

/** The OpenAPI document of the routes that are not hidden. */
export function describeApi<Ctx extends Context>(
  routes: readonly Route<Ctx>[],
  { title, url }: ApiInfo,
): z.infer<typeof openApiSchema> {
  const paths: Record<string, Record<string, Json>> = {};
  const used = new Set<ErrorName>();
  const described = routes.filter(({ isHidden }) => isHidden !== true);
  for (const one of described) {
    for (const name of errorsOf(one)) used.add(name);
    const path = one.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [one.method.toLowerCase()]: operationOf(one) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: instanceVersion(HEARTH_VERSION),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    security: [{}, { [TOKEN]: [] }],
    tags: [...new Set(described.map(({ tag }) => tag))].map(tagOf),
    paths,
    components: {
      securitySchemes: { [TOKEN]: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: Object.fromEntries(
        Array.from(used, (name) => [
          name,
          jsonSchema(errorSchemaOf(name), { fields: ERROR_FIELDS }),
        ]),
      ),
      headers: Object.fromEntries([
        ...[...LIMIT_HEADERS, ...(described.some(countsBytes) ? BYTE_HEADERS : [])].map(
          ([name, description]) => [name, { description, schema: { type: 'integer' } }] as const,
        ),
        ...described.flatMap(({ addsHeaders = {} }) => addedHeaders(addsHeaders)),
      ]),
    },
  };
}

function operationOf<Ctx extends Context>(one: Route<Ctx>): Json {
  const { name, summary, tag, auth } = one;
  const parameters = [...parametersIn('path', one), ...parametersIn('query', one)];
  return {
    operationId: name,
    summary,
    tags: [tag],
    ...(auth !== 'optional' && { security: [{ [TOKEN]: [] }] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBodyOf(one),
    responses: { ...successesOf(one), ...failuresOf(one) },
  };
}

function tagOf(name: string): Json {
  const noun = nounOfTag(name);
  return noun === undefined ? { name } : { name, description: NOUNS[noun].about };
}

function parametersIn<Ctx extends Context>(
  place: 'path' | 'query',
  one: Route<Ctx>,
): readonly Json[] {
  const schema = place === 'path' ? one.params : one.query;
  if (schema === undefined) return [];
  const fields = OBJECTS.fieldsOf(schema, { noun: nounOfTag(one.tag) });
  return Object.entries(schema.shape).map(([name, part]) => ({
    name,
    in: place,
    required: !z.safeParse(part, undefined).success,
    description: fields.find(({ path }) => path === name)?.text,
    schema: jsonSchema(part),
  }));
}

function requestBodyOf<Ctx extends Context>(one: Route<Ctx>): Json {
  const body = takenBody(one);
  if (body === undefined) return {};
  const [type, schema] = isStreamed(body)
    ? ['multipart/form-data', body.form]
    : ['application/json', body];
  return {
    requestBody: {
      required: true,
      content: { [type]: { schema: jsonSchema(schema, describing(one)) } },
    },
  };
}

function successesOf<Ctx extends Context>(one: Route<Ctx>): Json {
  const headers = headersOf(one);
  if (one.answers !== CONTENT) {
    const content = { 'application/json': { schema: jsonSchema(one.answers, describing(one)) } };
    const added = Object.keys(one.addsHeaders ?? {}).map(referenced);
    const all = { ...headers, ...Object.fromEntries(added) };
    return { '200': { description: 'Done.', headers: all, content } };
  }
  const content = { '*/*': { schema: {} } };
  return {
    '200': { description: 'The whole file.', headers, content },
    '206': { description: 'The requested range of the file.', headers, content },
    '304': { description: 'The file has not changed.', headers },
  };
}

function failuresOf<Ctx extends Context>(one: Route<Ctx>): Json {
  const byStatus = Map.groupBy(errorsOf(one), (name) => String(ERRORS[name].status));
  const headers = headersOf(one);
  return Object.fromEntries(
    Array.from(byStatus, ([status, names]) => {
      const schemas = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
      const schema = schemas.length === 1 ? schemas[0] : { anyOf: schemas };
      const description = names.map((name) => `${ERRORS[name].about}.`).join(' ');
      return [status, { description, headers, content: { 'application/json': { schema } } }];
    }),
  );
}

/** The errors that a route may answer with. */
export function errorsOf<Ctx extends Context>(one: Route<Ctx>): readonly ErrorName[] {
  const { params, query, body, answers, throws = [] } = one;
  const possible: readonly (readonly [ErrorName, boolean])[] = [
    // Everyone may send a token, and a wrong one is refused (AC10).
    ['UnauthorizedError', true],
    ['NotFoundError', params !== undefined],
    ['RangeNotSatisfiableError', answers === CONTENT],
    ['ExpectationFailedError', one.method !== 'GET'],
    ['ValidationError', isChecked(query) || body !== undefined],
    ['RateLimitedError', true],
    ['FileSizeRateLimitedError', isStreamed(body)],
    ['ServerError', true],
  ];
  const usual = possible.flatMap(([name, isPossible]) => (isPossible ? [name] : []));
  return [...new Set([...usual, ...throws])];
}

/** Returns whether a query may be refused: not if all its parameters may be missing, and may be any text. */
function isChecked(query: ZodObject | undefined): boolean {
  return Object.values(query?.shape ?? {}).some((part) => {
    const text = part instanceof z.ZodOptional ? part.unwrap() : undefined;
    return !(text instanceof z.ZodString) || text.def.checks !== undefined;
  });
}

function countsBytes({ limit }: Pick<Route, 'limit'>): boolean {
  const { defaults }: RateLimitKind = RATE_LIMITS[limit];
  return defaults.file_size_limit !== undefined;
}

function headersOf(one: Pick<Route, 'limit'>): Json {
  return Object.fromEntries(
    [...LIMIT_HEADERS, ...(countsBytes(one) ? BYTE_HEADERS : [])].map(([name]) => referenced(name)),
  );
}

function referenced(name: string): readonly [string, Json] {
  return [name, { $ref: `#/components/headers/${name}` }];
}

/** Headers that only some answers have. */
function addedHeaders(
  added: Readonly<Record<string, string>>,
): readonly (readonly [string, Json])[] {
  return Object.entries(added).map(([name, description]) => [
    name,
    { description, required: false, schema: { type: 'string' } },
  ]);
}

function describing({ tag }: Pick<Route, 'tag'>): Describing {
  return { noun: nounOfTag(tag) };
}

/** The JSON Schema of what is sent. Only fields that are refused are forbidden. */
function jsonSchema(schema: ZodType | z.core.$ZodType, how: Describing = {}): Json {
  const { $schema: _dialect, ...rest } = OBJECTS.describedJson(schema, how);
  return rest;
}
