import { MOST_REACTION_KINDS } from '@hearth/protocol';
import { accountExportSchema, idSchema, ownCommunitySchema } from '@hearth/protocol/schemas';
import { encodeForm, filePart } from '@hearth/testing/clients/upload-form';
import { asOwner } from '@hearth/testing/instances/as-owner';
import { addStaticFile } from '@hearth/testing/instances/static-files';
import { GENEROUS_LIMITS, type TestInstance } from '@hearth/testing/instances/test-instance';
import { sessionAccount } from '@hearth/testing/session-account';
import { until } from '@hearth/testing/until';
import { z } from 'zod';
import { preparePerson } from './account-codes.ts';
import { channelMessageSamples, talkPlaces, type TalkPlaces } from './channel-message-samples.ts';
import { commentPlaces, commentSamples, type CommentPlaces } from './comment-samples.ts';
import { doorSamples, prepareDoors } from './door-samples.ts';
import { memberSamples, prepareMembers } from './member-samples.ts';
import { postPlaces, postSamples, type PostPlaces } from './post-samples.ts';
import { postListSamples } from './post-list-samples.ts';
import { readingSamples } from './reading-samples.ts';
import type { Sample, SessionName } from './samples.ts';
import { structurePlaces, structureSamples, type StructurePlaces } from './structure-samples.ts';
import { votePlaces, voteSamples, type VotePlaces } from './vote-samples.ts';

/** The services that are described. */
export const SERVICES = ['rest', 'files'] as const;
export type Service = (typeof SERVICES)[number];

/** An operation of a service, as its OpenAPI document names it. */
export interface Operation {
  readonly service: Service;
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
}

/** Options of an instance on which {@link samplesOf} can be sent. */
export const OPEN = {
  toml: `registration = "open"\n${GENEROUS_LIMITS}`,
  env: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'hearth@example.org' },
};

/** The people who are registered. */
export interface People {
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
  /** A file of nobody. */
  readonly fileId: string;
  /** A file of Ada, which is there to be removed. */
  readonly ownFileId: string;
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

const FORM = encodeForm(filePart('a file'));
const UPLOAD: Sample = { headers: { 'Content-Type': FORM.contentType }, body: FORM.body };
const NO_FORM: Sample = { body: 'no form' };

/** Registers the people, and makes everything else that {@link samplesOf} needs. */
export async function registerPeople(at: TestInstance): Promise<People> {
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
  await addStaticFile(at, 'a.txt', 'a static file');
  return {
    fileId: await uploaded(at, UPLOAD),
    ownFileId: await uploaded(at, { ...UPLOAD, headers: { ...UPLOAD.headers, ...headers } }),
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

async function uploaded(at: TestInstance, { headers = {}, body = '' }: Sample): Promise<string> {
  const answer = await fetch(at.addresses.files, { method: 'POST', headers, body });
  return z.object({ id: z.string() }).parse(await answer.json()).id;
}

/** Lets the archive of a person be made. */
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

const FIRST_EMOJI = 0x1f600;

/**
 * Requests for every operation that make it answer with each of its statuses except 401 for a wrong token, 429 and 500. They
 * are sent in the order of the document.
 */
export function samplesOf(people: People): Readonly<Record<string, readonly Sample[]>> {
  const contents = (path: Record<string, string>, name: string): readonly Sample[] => [
    { path },
    { path, headers: { Range: 'bytes=1-2' } },
    { path, headers: { Range: 'bytes=1000000-' } },
    { path, headers: { 'If-None-Match': '*' } },
    { path: { ...path, [name]: '0' } },
  ];
  const file = { id: people.fileId };
  const fileOfBucket = { bucket: 'attachments', id: people.fileId };
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
    countFound: [
      { query: '?q=a&in=lobby' },
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
      { by: 'ada', path: { id: people.ownFileId } },
      { by: 'ada', path: { id: people.fileId } },
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
    signIn: [
      { body: SIGN_IN },
      { body: '{"username":"ada","password":"x"}' },
      { body: '{"password":"x"}' },
    ],
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
    describeFileOfBucket: [
      { path: fileOfBucket },
      { path: { bucket: 'other', id: people.fileId } },
    ],
  };
}

/** The address of a request, after that of the service. */
export function targetOf(
  { path }: Pick<Operation, 'path'>,
  { path: given = {}, query = '' }: Sample,
): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => given[name] ?? '') + query;
}

/** Sends a request. */
export function call(
  to: TestInstance,
  {
    operation,
    sample,
    people,
  }: { readonly operation: Operation; readonly sample: Sample; readonly people: People },
): Promise<Response> {
  const { service, method } = operation;
  const { headers: given = {}, body, by } = sample;
  const token = by === undefined ? {} : { Authorization: `Bearer ${people.tokens[by]}` };
  const headers = { ...given, ...token };
  const url = to.addresses[service] + targetOf(operation, sample);
  return fetch(url, body === undefined ? { method, headers } : { method, headers, body });
}
