import { parseId } from '@hearth/protocol';
import { instanceInfoSchema } from '@hearth/protocol/schemas';
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from 'bun:test';
import { OWNER } from '../src/actor.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { addStatic, removeStatic } from '../src/features/files/statics/add-static.ts';
import { removeUpload } from '../src/features/files/uploads/remove-upload.ts';
import { openOwnerContext, type OwnerContext } from '../src/instance.ts';
import { readHistory } from '@hearth/testing/clients/history-client';
import { photograph } from '@hearth/testing/clients/photograph';
import { postMessage } from '@hearth/testing/clients/post-message';
import { Cluster } from '@hearth/testing/instances/cluster';
import { readError } from '@hearth/testing/clients/read-error';
import { IS_S3_SKIPPED } from '@hearth/testing/servers/s3-server';
import {
  areServersMissing,
  sharedServers,
  type Servers,
} from '@hearth/testing/servers/shared-servers';
import { contentOf } from '@hearth/testing/instances/static-files';
import { tempFolder } from '@hearth/testing/temp-folder';
import { until } from '@hearth/testing/until';
import {
  encodeForm,
  filePart,
  postForm,
  randomBytes,
  upload,
} from '@hearth/testing/clients/upload-form';
import { useOwnS3 } from '@hearth/testing/servers/use-s3';

setDefaultTimeout(120_000);

describe.skipIf(areServersMissing || IS_S3_SKIPPED)('files of several processes', () => {
  const s3 = useOwnS3();
  let servers: Servers;

  beforeAll(async () => {
    servers = await sharedServers();
  });

  afterEach(() => s3().resume());
  afterAll(() => servers[Symbol.asyncDispose]());

  const environment = async () => ({
    ...(await servers.newInstance()),
    ...s3().env(crypto.randomUUID()),
  });

  /** Runs an owner's command on a machine that runs no process of the instance. */
  async function asOwner<Result>(
    env: Readonly<Record<string, string>>,
    use: (ctx: OwnerContext) => Promise<Result>,
  ): Promise<Result> {
    await using folder = await tempFolder();
    const { config } = await loadConfig({
      env: { ...env, LOG_LEVEL: 'silent' },
      workingDir: folder.path,
      writeMissingFile: false,
    });
    await using ctx = await openOwnerContext(config, 'adding');
    return await use(ctx);
  }

  const effisUrl = async (rest: string) =>
    instanceInfoSchema.parse(await (await fetch(rest)).json()).effis_url;

  /** Resolves with what is served permanently: while a storage server is slow, the original is served for now. */
  const lastingBody = async (url: string) => {
    let body: Uint8Array | undefined;
    await until(async () => {
      const response = await fetch(url);
      body = await response.bytes();
      return response.headers.get('cache-control')?.includes('immutable') === true;
    });
    return body;
  };

  const statusOf = async (url: string) => {
    const answer = await fetch(url);
    await answer.bytes();
    return answer.status;
  };

  test('[SC7] an upload that one process accepted can be fetched from every process, and a removed one from none', async () => {
    const env = await environment();
    await using cluster = await Cluster.start(env, { rests: 0, gateways: 0, files: 2 });
    const [one, other] = [0, 1].map((files) => cluster.at({ files }).addresses.files);
    const [small, large] = [randomBytes(20_000), randomBytes(3_000_000)];
    const kept = [await upload(one ?? '', small), await upload(other ?? '', large)];
    for (const base of [one, other]) {
      for (const [index, bytes] of [small, large].entries()) {
        const answer = await fetch(`${base}/${kept[index]?.id}`);
        expect(answer.status).toBe(200);
        expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
      }
    }
    const id = parseId(kept[0]?.id ?? '');
    if (id === undefined) throw new Error('nothing was kept');
    await asOwner(env, (ctx) => removeUpload(ctx, OWNER, id));
    for (const base of [one, other]) {
      await until(async () => (await statusOf(`${base}/${id}`)) === 404);
    }
  });

  test('[SC7][FS33][LB26] variants and attachments are the same in every process, and end with their file', async () => {
    const env = await environment();
    await using cluster = await Cluster.start(env, { rests: 2, gateways: 0, files: 2 });
    const [one = '', other = ''] = [0, 1].map((files) => cluster.at({ files }).addresses.files);
    const data = await upload(one, await photograph({ width: 600, height: 400 }), 'a.jpg');
    const id = parseId(data.id);
    if (id === undefined) throw new Error('nothing was kept');
    const urls = [one, other, one, other].map((files) => `${files}/media/${data.id}?size=400`);
    const bodies = await Promise.all(urls.map(lastingBody));
    for (const body of bodies) expect(body).toEqual(bodies[0]);
    const rests = [0, 1].map((rest) => cluster.at({ rest }));
    // Each process has an address of its own for files, because the owner has set none.
    const bases = await Promise.all(rests.map(async ({ addresses }) => effisUrl(addresses.rest)));
    await postMessage(rests[0] ?? cluster.at(), bases.map((base) => `${base}/${id}`).join(' '));
    for (const rest of rests) {
      expect((await readHistory(rest))[0]?.attachments).toEqual([data]);
    }
    await asOwner(env, async (ctx) => {
      const contents = () => ctx.database.reader.selectFrom('contents').select('bucket').execute();
      expect(await contents()).toHaveLength(2);
      await removeUpload(ctx, OWNER, id);
      expect(await contents()).toEqual([]);
    });
    for (const url of urls) await until(async () => (await statusOf(url)) === 404);
    for (const rest of rests) {
      await until(async () => (await readHistory(rest))[0]?.attachments === undefined);
    }
  });

  test('[SC7] a static file that the owner adds is served by every process, and a removed one by none', async () => {
    const env = await environment();
    await using cluster = await Cluster.start(env, { rests: 0, gateways: 0, files: 2 });
    const urls = [0, 1].map((files) => `${cluster.at({ files }).addresses.files}/static/home.txt`);
    for (const text of ['one', 'another']) {
      await asOwner(env, (ctx) => addStatic(ctx, OWNER, contentOf('home.txt', text)));
      for (const url of urls) {
        await until(async () => (await (await fetch(url)).text()) === text);
      }
    }
    await asOwner(env, (ctx) => removeStatic(ctx, OWNER, 'home.txt'));
    for (const url of urls) await until(async () => (await statusOf(url)) === 404);
  });

  test('[SC17][SC18] while S3 is unavailable, an upload is answered with 500 and not recorded, and everything else is answered', async () => {
    await using cluster = await Cluster.start(await environment(), {
      rests: 1,
      gateways: 0,
      files: 1,
    });
    const { rest, files } = cluster.at().addresses;
    const form = () => encodeForm(filePart(randomBytes(5_000)));
    const kept = await upload(files, randomBytes(1_000));
    const fetched = await fetch(`${files}/${kept.id}`);
    await fetched.bytes();
    s3().pause();
    expect(await readError(await postForm(`${files}/attachments`, form()))).toMatchObject({
      status: 500,
    });
    expect(await statusOf(rest)).toBe(200);
    // Contents that were requested before are in memory.
    expect(await statusOf(`${files}/${kept.id}`)).toBe(200);
    expect(await statusOf(`${files}/${kept.id}/data`)).toBe(200);
    expect(await statusOf(`${files}/static/none.txt`)).toBe(404);
    s3().resume();
    await until(async () => {
      const answer = await postForm(`${files}/attachments`, form());
      await answer.bytes();
      return answer.status === 200;
    });
  });
});
