/** Records what a real instance answers, as examples for the reference. */
import { accountExportSchema, openApiSchema } from '@hearth/protocol/schemas';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { z } from 'zod';
import {
  call,
  OPEN,
  registerPeople,
  samplesOf,
  SERVICES,
  targetOf,
  type Operation,
  type Service,
} from '../api-samples.ts';
import type { Sample } from '../samples.ts';
import { Placeholders } from './placeholders.ts';

/** Addresses of the instance of the examples. */
const SHOWN: Readonly<Record<Service, string>> = {
  rest: 'https://api.example.org',
  files: 'https://files.example.org',
};

/** Methods in the order in which they are called, so that there is something to list. */
const ORDER: readonly string[] = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'];

/** A refusal that an instance has answered with. */
export interface Refusal {
  readonly status: number;
  readonly code: string | undefined;
  readonly message: string;
}

/** Answers of an operation. */
export interface Recording {
  /** A request as a command, and what it was answered with: JSON, or a text about it. */
  readonly example: { readonly request: string; readonly reply: unknown } | undefined;
  readonly refusals: readonly Refusal[];
}

const documentSchema = openApiSchema.extend({
  paths: z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string() }))),
});

const envelopeSchema = z.object({
  status: z.number(),
  message: z.string(),
  data: z.object({ code: z.string().optional() }).optional(),
});

/** Answers of each operation to its samples, by service and name. */
export async function recordAll(): Promise<ReadonlyMap<string, Recording>> {
  await using instance = await startTestInstance(OPEN);
  const people = await registerPeople(instance);
  const samples = samplesOf(people);
  const recordings = new Map<string, Recording>();
  for (const operation of await operationsOf(instance)) {
    const recording: { -readonly [Key in keyof Recording]: Recording[Key] } = {
      example: undefined,
      refusals: [],
    };
    if (operation.operationId === 'findExport') await archived(instance, { operation, people });
    for (const sample of samples[operation.operationId] ?? []) {
      const answer = await call(instance, { operation, sample, people });
      if (answer.ok) recording.example ??= await exampleOf(instance, { operation, sample, answer });
      else recording.refusals = [...recording.refusals, ...(await refusalIn(instance, answer))];
    }
    recordings.set(`${operation.service} ${operation.operationId}`, recording);
  }
  return recordings;
}

/** Waits until the archive of a person is made, so that the example shows it. */
async function archived(instance: TestInstance, find: Omit<Parameters<typeof call>[1], 'sample'>) {
  await until(async () => {
    const answer = await call(instance, { ...find, sample: { by: 'ada' } });
    return accountExportSchema.parse(await answer.json()).state === 'ready';
  });
}

async function operationsOf({ addresses }: TestInstance): Promise<readonly Operation[]> {
  const lists = SERVICES.map(async (service) => {
    const answer = await fetch(`${addresses[service]}/openapi.json`);
    const { paths } = documentSchema.parse(await answer.json());
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => {
        return { service, operationId, method: method.toUpperCase(), path };
      }),
    );
  });
  return (await Promise.all(lists)).flat().toSorted((one, other) => placeOf(one) - placeOf(other));
}

function placeOf({ method, operationId }: Operation): number {
  // It needs a community that was deleted.
  return operationId === 'restoreCommunity' ? ORDER.length : ORDER.indexOf(method);
}

interface Sent {
  readonly operation: Operation;
  readonly sample: Sample;
  readonly answer: Response;
}

async function exampleOf(
  instance: TestInstance,
  { operation, sample, answer }: Sent,
): Promise<Recording['example']> {
  const names = placeholdersOf(instance);
  const { path = {}, query = '' } = sample;
  const parameters = Object.fromEntries(
    Object.entries(path).map(([name, value]) => [name, names.parameter(name, value)]),
  );
  const target = targetOf(operation, { path: parameters, query: names.text(query) });
  const options = [
    ...(operation.method === 'GET' ? [] : [`-X ${operation.method}`]),
    ...(sample.by === undefined ? [] : ["-H 'Authorization: Bearer <token>'"]),
    ...bodyOf(sample, names),
  ];
  const request = ['curl', ...options, `'${SHOWN[operation.service]}${target}'`].join(' \\\n  ');
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  if (operation.operationId === 'describeApi') return { request, reply: 'The document.' };
  if (!isJson) return { request, reply: 'The bytes of the file.' };
  return { request, reply: names.json(await answer.json()) };
}

function bodyOf({ body }: Sample, names: Placeholders): readonly string[] {
  if (body === undefined) return [];
  if (typeof body !== 'string') return ['-F file=@photo.jpg'];
  return [`-d '${JSON.stringify(names.json(JSON.parse(body)))}'`];
}

async function refusalIn(instance: TestInstance, answer: Response): Promise<readonly Refusal[]> {
  const { data: envelope } = envelopeSchema.safeParse(await answer.json().catch(() => undefined));
  if (envelope === undefined) return [];
  const { status, message, data } = envelope;
  return [{ status, code: data?.code, message: placeholdersOf(instance).text(message) }];
}

function placeholdersOf({ addresses }: TestInstance): Placeholders {
  return new Placeholders([
    [addresses.rest, SHOWN.rest],
    [addresses.files, SHOWN.files],
    [addresses.gateway, 'wss://gateway.example.org'],
  ]);
}
