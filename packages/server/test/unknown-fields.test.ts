import { openApiSchema, roleSchema } from '@hearth/protocol/schemas';
import { readError } from '@hearth/testing/clients/read-error';
import { RestPerson } from '@hearth/testing/clients/rest-person';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { z } from 'zod';

const operationSchema = z.object({
  requestBody: z
    .object({
      content: z.object({
        'application/json': z.object({
          schema: z.object({ additionalProperties: z.unknown().optional() }),
        }),
      }),
    })
    .optional(),
});
const documentSchema = openApiSchema.extend({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
});

const UNKNOWN = 'is not a field that can be changed here';

let instance: TestInstance;
let ada: RestPerson;

beforeAll(async () => {
  instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  ada = await RestPerson.register(instance, 'ada');
});
afterAll(() => instance[Symbol.asyncDispose]());

async function problemWith(method: string, path: string, body: object): Promise<unknown> {
  const { status, data } = await readError(await ada.ask(method, path, body));
  return { status, ...data };
}

test('[HT12] every PATCH and PUT with a body refuses an unknown field, and its schema says so', async () => {
  const { paths } = await ada.ok(documentSchema, 'GET', '/openapi.json');
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([name, { requestBody }]) => {
      const isChange = ['patch', 'put'].includes(name) && requestBody !== undefined;
      return isChange ? [{ method: name.toUpperCase(), path, requestBody }] : [];
    }),
  );
  expect(routes.length).toBeGreaterThan(20);
  const found: unknown[] = [];
  for (const { method, path, requestBody } of routes) {
    const { schema } = requestBody.content['application/json'];
    const problem = await problemWith(method, path.replaceAll(/\{\w+\}/g, '1'), { nonsense: 1 });
    found.push({ route: `${method} ${path}`, problem, others: schema.additionalProperties });
  }
  const problem = { status: 422, field_name: 'nonsense', error: UNKNOWN };
  expect(found).toEqual(
    routes.map(({ method, path }) => ({ route: `${method} ${path}`, problem, others: false })),
  );
});

test('[HT12] a field that another request changes is refused by its name, and nothing changes', async () => {
  const garden = await ada.garden('garden');
  const channel = `/channels/${garden.channels[0]?.id}`;
  for (const [path, body, field_name] of [
    [channel, { name: 'trees', category_id: garden.id }, 'category_id'],
    [channel, { name: 'trees', id: garden.id }, 'id'],
    ['/users/me', { bio: 'Analyst', username: 'eve' }, 'username'],
    [`/communities/${garden.id}`, { name: 'Trees', owner_id: garden.id }, 'owner_id'],
  ] as const) {
    const before = await (await ada.ask('GET', path)).text();
    expect(await problemWith('PATCH', path, body)).toEqual({
      status: 422,
      field_name,
      error: UNKNOWN,
    });
    expect(await (await ada.ask('GET', path)).text()).toBe(before);
  }
  const tags = [{ name: 'oaks', color: '#33cc66' }];
  expect(await problemWith('PATCH', channel, { tags })).toEqual({
    status: 422,
    field_name: 'tags',
    error: 'must not have the field color',
  });
});

test('[HT12] names within settings are free, and a request that makes something ignores unknown fields', async () => {
  const settings = { nonsense: { deeper: 1 } };
  const changed = await ada.ok(z.looseObject({}), 'PATCH', '/users/me', { settings });
  expect(changed).toMatchObject({ settings });
  const garden = await ada.garden('shed');
  const path = `/communities/${garden.id}/roles`;
  const role = await ada.ok(roleSchema, 'POST', path, { name: 'low', nonsense: 1 });
  expect(role.name).toBe('low');
});
