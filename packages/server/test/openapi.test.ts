import { openApiSchema } from '@hearth/protocol/schemas';
import { rawRequest, requestLines } from '@hearth/testing/clients/raw-http';
import { fakeClock } from '@hearth/testing/fake-clock';
import { asOwner } from '@hearth/testing/instances/as-owner';
import { limitsToml } from '@hearth/testing/instances/limits-toml';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { tempFolder } from '@hearth/testing/temp-folder';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { Glob } from 'bun';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { z } from 'zod';
import { OWNER } from '../src/actor.ts';
import { setAccessCode } from '../src/features/accounts/moderation/owner-restrictions.ts';
import {
  call,
  OPEN,
  registerPeople,
  samplesOf,
  SERVICES,
  type Operation,
  type People,
  type Service,
} from './support/api-samples.ts';
import type { Sample } from './support/samples.ts';

const responseSchema = z.object({
  headers: z.record(z.string(), z.object({ $ref: z.string() })),
  content: z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) })).optional(),
});
const operationSchema = z.object({
  operationId: z.string(),
  responses: z.record(z.string(), responseSchema),
});
const componentsSchema = z.object({
  headers: z.record(z.string(), z.object({ required: z.boolean().optional() })),
});
const documentSchema = openApiSchema.extend({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({}),
});

type DescribedOperation = Operation & z.infer<typeof operationSchema>;

const LIMITED = limitsToml({ reset_after: 60, limit: 1, file_size_limit: 1 });

let instance: TestInstance;
let limited: TestInstance;
let restricted: TestInstance;
let people: People;
let restrictedPeople: People;
let restrictedFolder: Awaited<ReturnType<typeof tempFolder>>;
const sources: Partial<Record<Service, string>> = {};

beforeAll(async () => {
  instance = await startTestInstance(OPEN);
  limited = await startTestInstance({ toml: LIMITED, clock: fakeClock() });
  restrictedFolder = await tempFolder();
  const { path: folder } = restrictedFolder;
  const open = await startTestInstance({ folder, toml: OPEN.toml });
  restrictedPeople = await registerPeople(open);
  await open.stop();
  restricted = await startTestInstance({ folder });
  await asOwner(restricted, (ctx) => setAccessCode(ctx, OWNER, 'k7mw-p3xd-9qht'));
  people = await registerPeople(instance);
  for (const service of SERVICES) {
    const answer = await fetch(`${instance.addresses[service]}/openapi.json`);
    sources[service] = await answer.text();
  }
});

afterAll(async () => {
  await instance[Symbol.asyncDispose]();
  await limited[Symbol.asyncDispose]();
  await restricted[Symbol.asyncDispose]();
  await restrictedFolder[Symbol.asyncDispose]();
});

const documents = new Map<Service, z.infer<typeof documentSchema>>();

function documentOf(service: Service): z.infer<typeof documentSchema> {
  return documents.getOrInsertComputed(service, () =>
    documentSchema.parse(JSON.parse(sources[service] ?? '')),
  );
}

/** The validators, which take long to compile, by service and schema. */
const validators = new Map<string, ValidateFunction>();

function validatorOf(service: Service, schema: object): ValidateFunction {
  return validators.getOrInsertComputed(service + JSON.stringify(schema), () => {
    const { components } = documentOf(service);
    return new Ajv2020({ allErrors: true, strict: false, validateSchema: false }).compile({
      ...schema,
      components,
    });
  });
}

function operations(): readonly DescribedOperation[] {
  return SERVICES.flatMap((service) =>
    Object.entries(documentOf(service).paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        return { ...operation, service, method: method.toUpperCase(), path };
      }),
    ),
  );
}

const WRONG_TOKEN: Sample = { headers: { Authorization: 'Bearer nonsense' } };

/** Every route in the tables of the specification, such as `GET /{bucket}/{id}`. */
async function documentedRoutes(): Promise<ReadonlySet<string>> {
  const folder = join(import.meta.dirname, '../../../docs/spec');
  const chapters = await Array.fromAsync(new Glob('*.md').scan({ cwd: folder }), (name) =>
    Bun.file(join(folder, name)).text(),
  );
  const rows = chapters.flatMap((text) => [...text.matchAll(/^\| ([A-Z]+) +\|([^|]+)\|/gm)]);
  return new Set(
    rows.flatMap(([, method = '', paths = '']) =>
      [...paths.matchAll(/`([^`?]+)/g)].map(
        ([, path = '']) => `${method} ${path.replaceAll(/<(\w+)>/g, '{$1}')}`,
      ),
    ),
  );
}

/** Sends a request of a person, or of the person of that name where access is restricted. */
function send(to: TestInstance, operation: Operation, sample: Sample): Promise<Response> {
  return call(to, { operation, sample, people: to === restricted ? restrictedPeople : people });
}

/** The status of an answer, which must match its operation's description. */
async function describedStatus(operation: DescribedOperation, answer: Response): Promise<string> {
  const status = String(answer.status);
  const described = operation.responses[status];
  if (described === undefined) throw new Error(`${operation.operationId} has no ${status}`);
  const { headers } = componentsSchema.parse(documentOf(operation.service).components);
  for (const name of Object.keys(described.headers)) {
    if (headers[name]?.required === false && !answer.headers.has(name)) continue;
    expect(answer.headers.get(name)).toMatch(/^\d+$/);
  }
  if (described.content === undefined) return status;
  const [type, { schema }] = Object.entries(described.content)[0] ?? ['', { schema: {} }];
  if (type === '*/*') return status;
  expect(answer.headers.get('content-type')).toBe(type);
  const isValid = validatorOf(operation.service, schema);
  isValid(await answer.json());
  expect(isValid.errors).toBeNull();
  return status;
}

describe('[HT11] the OpenAPI document', () => {
  test.each(SERVICES)(
    'the document of the %s service has nothing that its linter objects to',
    async (service) => {
      const config = await createConfig({
        extends: ['recommended-strict'],
        rules: {
          // The documented paths look like this: /static/<name> and /<id>/data.
          'no-ambiguous-paths': 'off',
          'tag-description': 'off',
        },
      });
      const { [service]: source = '' } = sources;
      const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
      expect(problems.map(({ ruleId, message }) => [ruleId, message])).toEqual([]);
    },
  );

  test('the document lists the routes of the service, and itself', () => {
    const listed = (service: Service) =>
      operations()
        .filter((operation) => operation.service === service)
        .map(({ method, path }) => `${method} ${path}`)
        .toSorted();
    expect(listed('rest')).toEqual(
      expect.arrayContaining([
        'GET /',
        'GET /capabilities',
        'GET /messages',
        'GET /openapi.json',
        'GET /rate_limits',
        'GET /ratelimits',
        'POST /messages',
      ]),
    );
    expect(listed('files')).toEqual([
      'GET /exports/{key}',
      'GET /media/{id}',
      'GET /openapi.json',
      'GET /static/{name}',
      'GET /static/{name}/download',
      'GET /{bucket}/{id}',
      'GET /{bucket}/{id}/data',
      'GET /{bucket}/{id}/download',
      'GET /{id}',
      'GET /{id}/data',
      'GET /{id}/download',
      'POST /',
      'POST /attachments',
    ]);
  });

  test('the document has no route that the tables of the specification lack', async () => {
    const documented = await documentedRoutes();
    expect(documented).toContain('GET /messages');
    const routes = operations().map(({ method, path }) => `${method} ${path}`);
    const lacking = [...new Set(routes)].filter((route) => !documented.has(route));
    // The older name (RS8), and `/<bucket>` by its only name.
    const described = ['GET /ratelimits', 'POST /attachments'];
    expect(
      lacking.toSorted(),
      'Add a row to a table of methods and paths in docs/spec for each route that only this list has',
    ).toEqual(described);
  });

  test('the document describes the answers of every operation, with their statuses, types, headers and bodies', async () => {
    const samples = samplesOf(people);
    const names = operations().map(({ operationId }) => operationId);
    const known = Object.keys(samples);
    const problems = [
      ...names.filter((name) => !known.includes(name)).map((name) => `add ${name}`),
      ...known.filter((name) => !names.includes(name)).map((name) => `remove ${name}`),
    ];
    expect(problems, 'samplesOf() in support/api-samples.ts needs requests for each route').toEqual(
      [],
    );
    for (const operation of operations()) {
      const seen = new Set<string>();
      for (const sample of samples[operation.operationId] ?? []) {
        seen.add(await describedStatus(operation, await send(instance, operation, sample)));
      }
      const wrong = await send(instance, operation, {
        ...WRONG_TOKEN,
        path: Object.fromEntries(
          Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, name = '']) => [name, '1']),
        ),
      });
      seen.add(await describedStatus(operation, wrong));
      if (operation.method !== 'GET') {
        const lines = requestLines(operation.method, operation.path, 'Expect: something else');
        const answer = await rawRequest(instance.addresses[operation.service], lines);
        seen.add(await describedStatus(operation, answer));
      }
      // Nobody here is staff.
      const isForStaff = seen.has('403') && !seen.has('200');
      if ('403' in operation.responses && !seen.has('403')) {
        const [sample = {}] = samples[operation.operationId] ?? [];
        seen.add(await describedStatus(operation, await send(restricted, operation, sample)));
      }
      const missing = Object.keys(operation.responses).filter((status) => !seen.has(status));
      const unseen = isForStaff ? ['200', '429', '500'] : ['429', '500'];
      expect([operation.operationId, missing]).toEqual([operation.operationId, unseen]);
    }
    // It asks for everything that an instance answers.
  }, 120_000);

  test('the document describes how every operation refuses a client beyond a limit', async () => {
    for (const operation of operations()) {
      const { by: _nobody, ...sample } = samplesOf(people)[operation.operationId]?.[0] ?? {};
      await (await send(limited, operation, sample)).body?.cancel();
      const refused = await send(limited, operation, sample);
      expect(await describedStatus(operation, refused)).toBe('429');
    }
  });

  test('[LI5] counts in the limit read of the REST service, and as a fetch of the file service', async () => {
    await using own = await startTestInstance({ toml: '', clock: fakeClock() });
    const [rest, files] = await Promise.all(
      SERVICES.map((service) => fetch(`${own.addresses[service]}/openapi.json`)),
    );
    expect(rest?.headers.get('x-ratelimit-max')).toBe('20');
    expect(files?.headers.get('x-ratelimit-max')).toBe('30');
  });
});
