import { sessionAccount } from '@hearth/testing/session-account';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { MOST_REACTION_KINDS } from '@hearth/protocol';
import {
  accountExportSchema,
  idSchema,
  openApiSchema,
  ownCommunitySchema,
} from '@hearth/protocol/schemas';
import { rawRequest, requestLines } from '@hearth/testing/clients/raw-http';
import { encodeForm, filePart } from '@hearth/testing/clients/upload-form';
import { fakeClock } from '@hearth/testing/fake-clock';
import { asOwner } from '@hearth/testing/instances/as-owner';
import { limitsToml } from '@hearth/testing/instances/limits-toml';
import { addStaticFile } from '@hearth/testing/instances/static-files';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { tempFolder } from '@hearth/testing/temp-folder';
import { until } from '@hearth/testing/until';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { Glob } from 'bun';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { z } from 'zod';
import { OWNER } from '../src/actor.ts';
import { setAccessCode } from '../src/features/accounts/moderation/owner-restrictions.ts';
import { preparePerson } from './support/account-codes.ts';
import {
  channelMessageSamples,
  talkPlaces,
  type TalkPlaces,
} from './support/channel-message-samples.ts';
import { commentPlaces, commentSamples, type CommentPlaces } from './support/comment-samples.ts';
import { doorSamples, prepareDoors } from './support/door-samples.ts';
import { memberSamples, prepareMembers } from './support/member-samples.ts';
import { postPlaces, postSamples, type PostPlaces } from './support/post-samples.ts';
import { postListSamples } from './support/post-list-samples.ts';
import { readingSamples } from './support/reading-samples.ts';
import type { Sample, SessionName } from './support/samples.ts';
import {
  structurePlaces,
  structureSamples,
  type StructurePlaces,
} from './support/structure-samples.ts';
import { votePlaces, voteSamples, type VotePlaces } from './support/vote-samples.ts';

const SERVICES = ['rest', 'files'] as const;
type Service = (typeof SERVICES)[number];

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

interface Operation extends z.infer<typeof operationSchema> {
  readonly service: Service;
  readonly method: string;
  readonly path: string;
}

/** The people who are registered. */
interface People {
  readonly adaId: string;
  readonly tokens: Readonly<Record<SessionName, string>>;
  /** Another session of Ada. */
  readonly otherSessionId: string;
  /** Two messages of Ada. The second one is there to be deleted. */
  readonly messageIds: readonly string[];
  /** A public community of Ada. */
  readonly communityId: string;
  /** Its channel. */
  readonly channelId: string;
  /** A member of that community. */
  readonly floId: string;
  /** Other communities of hers. */
  readonly places: StructurePlaces;
  /** A channel of Ada with messages. */
  readonly talk: TalkPlaces;
  readonly votes: VotePlaces;
  /** A channel of Ada with posts. */
  readonly posts: PostPlaces;
  readonly comments: CommentPlaces;
  readonly doors: Parameters<typeof doorSamples>[0];
  /** The key of Bob's archive. */
  readonly archiveKey: string;
}

const PASSWORD = 'correct horse battery';
const registrationOf = (username: string, password = PASSWORD) =>
  JSON.stringify({ username, email: `${username}@example.org`, password });
const SIGN_IN = JSON.stringify({ username: 'ada', password: PASSWORD });
const CURRENT_PASSWORD = JSON.stringify({ current_password: PASSWORD });
const NEW_PASSWORD = JSON.stringify({ password: 'tall trees in autumn' });
/** A message that Ada has posted and deleted. */
const REMOVED = '{"content":"good night","nonce":"removed"}';
const signedIn = z.object({
  user: z.object({ id: idSchema }),
  token: z.string(),
  session: z.object({ id: idSchema }),
});

const LIMITED = limitsToml({ reset_after: 60, limit: 1, file_size_limit: 1 });

const FORM = encodeForm(filePart('a file'));
const UPLOAD: Sample = { headers: { 'Content-Type': FORM.contentType }, body: FORM.body };
const NO_FORM: Sample = { body: 'no form' };

let instance: TestInstance;
let limited: TestInstance;
let restricted: TestInstance;
let fileId: string;
/** A file of Ada, which is there to be removed. */
let ownFileId: string;
let people: People;
let restrictedPeople: People;
let restrictedFolder: Awaited<ReturnType<typeof tempFolder>>;
const sources: Partial<Record<Service, string>> = {};

beforeAll(async () => {
  const toml = `registration = "open"\n${GENEROUS_LIMITS}`;
  const env = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'hearth@example.org' };
  instance = await startTestInstance({ toml, env });
  limited = await startTestInstance({ toml: LIMITED, clock: fakeClock() });
  restrictedFolder = await tempFolder();
  const { path: folder } = restrictedFolder;
  const open = await startTestInstance({
    folder,
    toml: `registration = "open"\n${GENEROUS_LIMITS}`,
  });
  restrictedPeople = await registerPeople(open);
  await open.stop();
  restricted = await startTestInstance({ folder });
  await asOwner(restricted, (ctx) => setAccessCode(ctx, OWNER, 'k7mw-p3xd-9qht'));
  people = await registerPeople(instance);
  await addStaticFile(instance, 'a.txt', 'a static file');
  fileId = await uploaded(UPLOAD);
  ownFileId = await uploaded({ ...UPLOAD, by: 'ada' });
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

async function registerPeople(at: TestInstance): Promise<People> {
  const { addresses } = at;
  const ask = async (path: string, body: string) => {
    const answer = await fetch(addresses.rest + path, { method: 'POST', body });
    return signedIn.parse(await answer.json());
  };
  const post = async (token: string, body = '{"content":"good evening"}') => {
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await fetch(`${addresses.rest}/messages`, { method: 'POST', headers, body });
    return z.object({ id: z.string() }).parse(await answer.json()).id;
  };
  const ada = await ask('/users', registrationOf('ada'));
  const garden = await fetch(`${addresses.rest}/communities`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ada.token}` },
    body: '{"name":"Garden","slug":"garden","visibility":"public"}',
  });
  const spare = await ask('/auth', SIGN_IN);
  const other = await ask('/auth', SIGN_IN);
  const bob = await ask('/users', registrationOf('bob'));
  const gil = await ask('/users', registrationOf('gil'));
  const flo = await ask('/users', registrationOf('flo'));
  await asOwner(at, async (ctx) => {
    await preparePerson(ctx, { username: 'ada', codes: { fresh: 'verify' } });
    await preparePerson(ctx, { username: 'bob', isVerified: true });
    await preparePerson(ctx, { username: 'flo', codes: { reset: 'reset' } });
    await preparePerson(ctx, {
      username: 'gil',
      codes: { taken: 'verify' },
      pendingEmail: 'bob@example.org',
      recoveryCode: 'recovery',
    });
  });
  const made = ownCommunitySchema.parse(await garden.json());
  const communityId = made.id;
  await prepareMembers(at, { communityId, member: flo.token, busy: gil.user.id });
  const places = await asOwner(at, (ctx) =>
    structurePlaces(ctx, {
      owner: sessionAccount(ada.user.id, ada.session.id),
      member: flo.user.id,
    }),
  );
  const doors = await prepareDoors(at, {
    communityId,
    tokens: { ada: ada.token, bob: bob.token, gil: gil.token },
    gilId: gil.user.id,
  });
  const kim = await ask('/users', registrationOf('kim'));
  const removed = await post(ada.token, REMOVED);
  const headers = { Authorization: `Bearer ${ada.token}` };
  await fetch(`${addresses.rest}/messages/${removed}`, { method: 'DELETE', headers });
  return {
    adaId: ada.user.id,
    tokens: {
      ada: ada.token,
      spare: spare.token,
      bob: bob.token,
      gil: gil.token,
      kim: kim.token,
    },
    otherSessionId: other.session.id,
    communityId,
    channelId: made.channels[0]?.id ?? '',
    floId: flo.user.id,
    places,
    talk: await talkPlaces(at, ada.token),
    votes: await votePlaces(at, { token: ada.token, adaId: ada.user.id }),
    posts: await postPlaces(at, ada.token),
    comments: await commentPlaces(at, { token: ada.token, adaId: ada.user.id }),
    doors,
    messageIds: [await post(ada.token), await post(ada.token)],
    archiveKey: await archiveKeyOf(at, bob.token),
  };
}

/** Lets the archive of a person be made. */
async function uploaded(sample: Sample): Promise<string> {
  const answer = await fetch(instance.addresses.files, { method: 'POST', ...asInit(sample) });
  return z.object({ id: z.string() }).parse(await answer.json()).id;
}

async function archiveKeyOf(at: TestInstance, token: string): Promise<string> {
  const url = `${at.addresses.rest}/users/me/export`;
  const headers = { Authorization: `Bearer ${token}` };
  await fetch(url, { method: 'POST', headers });
  let key = '';
  await until(async () => {
    const latest = accountExportSchema.parse(await (await fetch(url, { headers })).json());
    key = latest.state === 'ready' ? (latest.url.split('/').at(-1) ?? '') : '';
    return latest.state !== 'working';
  });
  return key;
}

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

function operations(): readonly Operation[] {
  return SERVICES.flatMap((service) =>
    Object.entries(documentOf(service).paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        return { ...operation, service, method: method.toUpperCase(), path };
      }),
    ),
  );
}

function asInit({ headers: given = {}, body, by }: Sample, { tokens } = people) {
  const token = by === undefined ? {} : { Authorization: `Bearer ${tokens[by]}` };
  const headers = { ...given, ...token };
  return body === undefined ? { headers } : { headers, body };
}

const FIRST_EMOJI = 0x1f600;

const WRONG_TOKEN: Sample = { headers: { Authorization: 'Bearer nonsense' } };

/**
 * Requests for every operation that make it answer with each of its statuses except 401 for a wrong token, 429 and 500. They
 * are sent in the order of the document.
 */
function samplesOf(): Readonly<Record<string, readonly Sample[]>> {
  const contents = (path: Record<string, string>, name: string): readonly Sample[] => [
    { path },
    { path, headers: { Range: 'bytes=1-2' } },
    { path, headers: { Range: 'bytes=1000000-' } },
    { path, headers: { 'If-None-Match': '*' } },
    { path: { ...path, [name]: '0' } },
  ];
  const file = { id: fileId };
  const fileOfBucket = { bucket: 'attachments', id: fileId };
  const message: Sample = { body: '{"author":"eve","content":"good evening"}' };
  const [messageId = '', deletedId = ''] = people.messageIds;
  // One more than a message may have.
  const kinds = Array.from({ length: MOST_REACTION_KINDS + 1 }, (_, at) =>
    encodeURIComponent(String.fromCodePoint(FIRST_EMOJI + at)),
  );
  return {
    describeInstance: [{}],
    describeCapabilities: [{}],
    countOnline: [{}],
    listRateLimits: [{}],
    listRateLimitsByOldName: [{}],
    createMessage: [message, { body: '{"author":"a"}' }, { by: 'ada', body: REMOVED }],
    listMessages: [{}, { query: '?limit=1' }, { query: '?limit=0' }],
    changeMessage: [
      { by: 'ada', path: { id: messageId }, body: '{"content":"good night"}' },
      { by: 'ada', path: { id: messageId }, body: '{"content":""}' },
      { by: 'bob', path: { id: messageId }, body: '{"content":"good night"}' },
      { by: 'ada', path: { id: '1' }, body: '{"content":"good night"}' },
    ],
    deleteMessage: [
      { by: 'ada', path: { id: deletedId } },
      { by: 'bob', path: { id: messageId } },
      { by: 'ada', path: { id: '1' } },
    ],
    addReaction: [
      ...kinds.map((emoji): Sample => ({ by: 'ada', path: { id: messageId, emoji } })),
      { by: 'ada', path: { id: messageId, emoji: 'a' } },
      { by: 'ada', path: { id: '1', emoji: '%F0%9F%91%8D' } },
    ],
    removeReaction: [
      { by: 'ada', path: { id: messageId, emoji: '%F0%9F%98%80' } },
      { by: 'ada', path: { id: messageId, emoji: '%F0%9F%98%80' } },
      { by: 'ada', path: { id: messageId, emoji: 'a' } },
    ],
    listReacted: [
      { path: { id: messageId, emoji: '%F0%9F%98%81' } },
      { path: { id: messageId, emoji: 'a' } },
      { path: { id: '1', emoji: '%F0%9F%98%81' } },
    ],
    searchMessages: [
      { query: '?q=a' },
      { query: '?q=' },
      { by: 'ada', query: `?q=a&in=${people.channelId}` },
      { query: '?q=a&in=1' },
      { by: 'ada', query: `?q=a&community=${people.communityId}` },
    ],
    listOwnCommunities: [{ by: 'ada' }],
    showOwnCommunity: [
      { by: 'ada', path: { id: people.communityId } },
      { by: 'bob', path: { id: people.communityId } },
    ],
    ...memberSamples(people),
    ...structureSamples(people.places),
    ...readingSamples(people),
    showTyping: [
      ...['ada', 'bob'].map((by) => ({ by, path: { channel_id: people.channelId } }) as Sample),
      { by: 'bob', path: { channel_id: '1' } },
    ],
    ...channelMessageSamples(people.talk),
    ...voteSamples(people.votes, people),
    ...postSamples(people.posts),
    ...commentSamples(people.comments, people),
    ...postListSamples({ ...people, posts: people.talk.posts }),
    ...doorSamples(people.doors),
    describeApi: [{}],
    requestExport: [{ by: 'ada' }],
    findExport: [{ by: 'ada' }],
    removeOwnUpload: [
      { by: 'ada', path: { id: ownFileId } },
      { by: 'ada', path: { id: fileId } },
    ],
    fetchExport: contents({ key: people.archiveKey }, 'key'),
    deleteMe: [
      { by: 'bob', body: JSON.stringify({ current_password: PASSWORD, content: 'all' }) },
      { by: 'kim', body: JSON.stringify({ current_password: PASSWORD, content: 'keep' }) },
      { by: 'ada', body: JSON.stringify({ current_password: PASSWORD, content: 'keep' }) },
    ],
    register: [
      { body: registrationOf('cyd') },
      { body: registrationOf('ada') },
      { body: registrationOf('dan', 'short') },
    ],
    findMe: [{ by: 'ada' }],
    updateMe: [
      { by: 'ada', body: '{"bio":"Analyst"}' },
      { by: 'ada', body: '{"bio":""}' },
      { by: 'ada', body: JSON.stringify({ email: 'bob@example.org', current_password: PASSWORD }) },
    ],
    findUserByName: [{ path: { username: 'ada' } }, { path: { username: 'nobody' } }],
    findUser: [{ path: { id: people.adaId } }, { path: { id: '1' } }],
    signIn: [{ body: SIGN_IN }, { body: '{"password":"x"}' }],
    listSessions: [{ by: 'ada' }],
    endSession: [
      { by: 'ada', path: { id: people.otherSessionId } },
      { by: 'ada', path: { id: '1' } },
    ],
    endCurrentSession: [{ by: 'spare' }],
    endOtherSessions: [{ by: 'bob' }],
    // The second one with a token that the first one has replaced.
    renewToken: [{ by: 'ada' }, { by: 'ada' }],
    setUpTotp: [
      { by: 'ada', body: CURRENT_PASSWORD },
      { by: 'gil', body: CURRENT_PASSWORD },
      { by: 'ada', body: '{}' },
    ],
    removeTotp: [
      { by: 'gil', body: JSON.stringify({ current_password: PASSWORD, code: 'recovery' }) },
      { by: 'ada', body: JSON.stringify({ current_password: PASSWORD, code: 'recovery' }) },
      { by: 'ada', body: '{}' },
    ],
    sendEmailCode: [{ by: 'ada' }, { by: 'bob' }],
    redeemEmailCode: [
      { by: 'ada', path: { code: 'fresh' } },
      { by: 'ada', path: { code: 'wrong' } },
      { by: 'ada', path: { code: 'x'.repeat(65) } },
      { by: 'gil', path: { code: 'taken' } },
    ],
    requestPasswordReset: [{ body: '{"email":"ada@example.org"}' }, { body: '{}' }],
    resetPassword: [
      { path: { code: 'reset' }, body: NEW_PASSWORD },
      { path: { code: 'wrong' }, body: NEW_PASSWORD },
      { path: { code: 'x'.repeat(65) }, body: NEW_PASSWORD },
    ],
    uploadFile: [UPLOAD, NO_FORM],
    uploadFileOfBucket: [UPLOAD, NO_FORM],
    fetchStatic: contents({ name: 'a.txt' }, 'name'),
    downloadStatic: contents({ name: 'a.txt' }, 'name'),
    fetchMedia: [...contents(file, 'id'), { path: file, query: '?size=1' }],
    fetchFile: contents(file, 'id'),
    downloadFile: contents(file, 'id'),
    describeFile: [{ path: file }, { path: { id: '0' } }],
    fetchFileOfBucket: contents(fileOfBucket, 'id'),
    downloadFileOfBucket: contents(fileOfBucket, 'id'),
    describeFileOfBucket: [{ path: fileOfBucket }, { path: { bucket: 'other', id: fileId } }],
  };
}

function targetOf({ path }: Operation, { path: given = {}, query = '' }: Sample): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => given[name] ?? '') + query;
}

function call(to: TestInstance, operation: Operation, sample: Sample): Promise<Response> {
  const { service, method } = operation;
  const url = to.addresses[service] + targetOf(operation, sample);
  return fetch(url, { method, ...asInit(sample, to === restricted ? restrictedPeople : people) });
}

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

/** The status of an answer, which must match its operation's description. */
async function describedStatus(operation: Operation, answer: Response): Promise<string> {
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
    'of the %s service has nothing that its linter objects to',
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

  test('lists the routes of the service, and the document itself', () => {
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

  test('has no route that the tables of the specification lack', async () => {
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

  test('describes the answers of every operation, with their statuses, types, headers and bodies', async () => {
    const samples = samplesOf();
    const names = operations().map(({ operationId }) => operationId);
    const known = Object.keys(samples);
    const problems = [
      ...names.filter((name) => !known.includes(name)).map((name) => `add ${name}`),
      ...known.filter((name) => !names.includes(name)).map((name) => `remove ${name}`),
    ];
    expect(problems, 'samplesOf() in openapi.test.ts needs requests for each route').toEqual([]);
    for (const operation of operations()) {
      const seen = new Set<string>();
      for (const sample of samples[operation.operationId] ?? []) {
        seen.add(await describedStatus(operation, await call(instance, operation, sample)));
      }
      const wrong = await call(instance, operation, {
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
        seen.add(await describedStatus(operation, await call(restricted, operation, sample)));
      }
      const missing = Object.keys(operation.responses).filter((status) => !seen.has(status));
      const unseen = isForStaff ? ['200', '429', '500'] : ['429', '500'];
      expect([operation.operationId, missing]).toEqual([operation.operationId, unseen]);
    }
    // It asks for everything that an instance answers.
  }, 120_000);

  test('describes how every operation refuses a client beyond a limit', async () => {
    for (const operation of operations()) {
      const { by: _nobody, ...sample } = samplesOf()[operation.operationId]?.[0] ?? {};
      await (await call(limited, operation, sample)).body?.cancel();
      const refused = await call(limited, operation, sample);
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
