import { named } from '@hearth/testing/instances/named';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { commandsNamed, typed } from './support/every-command.ts';
import { HeldRequest } from './support/held-request.ts';
import { Home } from './support/home.ts';
import { get, readFileData, upload, uploadRequest } from './support/talk.ts';

let home: Home;

beforeEach(async () => {
  home = await Home.make();
  await home.write('instance.toml', named(GENEROUS_LIMITS));
});

afterEach(() => home[Symbol.asyncDispose]());

test('[OP11][OP12] static add makes a file available on a running instance at once', async () => {
  await home.startHere();
  await home.write('logo & more.svg', '<svg/>');
  expect((await getStatic('logo%20%26%20more.svg')).status).toBe(404);
  const { exitCode, stdout, stderr } = await home.run(['static', 'add', 'logo & more.svg']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const url = `${home.addresses.files}/static/logo%20%26%20more.svg`;
  expect(stdout).toMatch(new RegExp(`^Added logo & more\\.svg \\(6 bytes, [^)]+\\): ${url}\\n$`));
  expect(await get(url)).toEqual({ status: 200, text: '<svg/>' });
});

test('[OP11][OP12] static add uses the name that --name gives, and replaces a file of that name', async () => {
  await home.startHere();
  await home.write('first', 'one');
  await home.write('second', 'two, longer');
  await expectDone(['static', 'add', 'first', '--name', 'motd.txt']);
  expect(await getStatic('motd.txt')).toEqual({ status: 200, text: 'one' });
  await expectDone(['static', 'add', home.path('second'), '--name=motd.txt']);
  expect(await getStatic('motd.txt')).toEqual({ status: 200, text: 'two, longer' });
  expect((await getStatic('first')).status).toBe(404);
  expect(await listed('static')).toMatchObject([{ name: 'motd.txt', sizeBytes: 11 }]);
});

test('[OP11][OP13] static remove removes a file from a running instance at once', async () => {
  await home.startHere();
  await home.write('a.txt', 'a');
  await home.write('b.txt', 'b');
  await expectDone(['static', 'add', 'a.txt']);
  await expectDone(['static', 'add', 'b.txt']);
  expect(await getStatic('a.txt')).toEqual({ status: 200, text: 'a' });
  await expectProgramDone(['static', 'remove', 'a.txt']);
  expect((await getStatic('a.txt')).status).toBe(404);
  expect(await getStatic('b.txt')).toEqual({ status: 200, text: 'b' });
  expect(await listed('static')).toMatchObject([{ name: 'b.txt' }]);
});

test('[OP13] static list prints the files as a table and as JSON', async () => {
  await (await home.startHere()).stop();
  expect(await listed('static')).toEqual([]);
  expect(await home.runHere(['static', 'list'])).toMatchObject({ exitCode: 0, stderr: '' });
  await home.write('b.txt', 'x'.repeat(1500));
  await home.write('a.txt', 'x');
  const beforeMs = Date.now();
  await expectDone(['static', 'add', 'b.txt']);
  await expectDone(['static', 'add', 'a.txt']);
  const files = await listed('static');
  expect(files).toEqual([
    { name: 'a.txt', sizeBytes: 1, contentType: expect.any(String), addedAtMs: expect.any(Number) },
    {
      name: 'b.txt',
      sizeBytes: 1500,
      contentType: expect.any(String),
      addedAtMs: expect.any(Number),
    },
  ]);
  for (const { addedAtMs } of files) expect(Number(addedAtMs)).toBeWithin(beforeMs, Date.now() + 1);
  const { stdout } = await home.runHere(['static', 'list']);
  expect(stdout).toMatch(/^SIZE .*\n1 byte .*a\.txt\n1\.5 kB .*b\.txt\n$/);
});

test('[OP11][OP14] attachments list and remove work at once on a running instance', async () => {
  await home.startHere();
  const { files } = home.addresses;
  expect(await listed('attachments')).toEqual([]);
  const first = await upload(files, 'one', 'one.txt');
  const second = await upload(files, 'two', 'two.txt');
  expect(await listed('attachments')).toEqual([
    expect.objectContaining({ id: first.id, name: 'one.txt', bucket: 'attachments', sizeBytes: 3 }),
    expect.objectContaining({ id: second.id, name: 'two.txt', spoiler: false }),
  ]);
  const { stdout } = await home.runHere(['attachments', 'list']);
  expect(stdout).toMatch(new RegExp(`\\n${first.id} .*one\\.txt\\n${second.id} .*two\\.txt\\n$`));

  await expectProgramDone(['attachments', 'remove', first.id]);
  expect((await get(`${files}/attachments/${first.id}`)).status).toBe(404);
  expect((await get(`${files}/attachments/${first.id}/data`)).status).toBe(404);
  expect(await get(`${files}/attachments/${second.id}`)).toEqual({ status: 200, text: 'two' });
  expect(await listed('attachments')).toMatchObject([{ id: second.id }]);
});

test('[OP14, OP15] removing an upload keeps other uploads of the same bytes, even unfinished ones', async () => {
  await home.startHere();
  const { files } = home.addresses;
  const [first, second] = [await upload(files, 'twins'), await upload(files, 'twins')];
  await expectDone(['attachments', 'remove', first.id]);
  expect(await get(`${files}/attachments/${second.id}`)).toEqual({ status: 200, text: 'twins' });
  using held = await HeldRequest.begin(`${files}/attachments`, uploadRequest(files, 'twins'));
  await expectDone(['attachments', 'remove', second.id]);
  const { id } = await readFileData(await held.finish());
  expect(await get(`${files}/attachments/${id}`)).toEqual({ status: 200, text: 'twins' });
  await expectDone(['attachments', 'remove', id]);
  expect(await listed('attachments')).toEqual([]);
  expect(await contents()).toEqual([]);
});

test('[OP14] the name of an upload cannot break the list or the terminal', async () => {
  await home.startHere();
  await upload(home.addresses.files, 'x', 'two\u2028lines \u202egpj.exe');
  const { stdout } = await home.runHere(['attachments', 'list']);
  expect(stdout.trimEnd().split(/[\n\u2028]/)).toHaveLength(2);
  expect(stdout).not.toContain('\u202e');
});

test('[OP11] the commands work without a running instance, and the next start shows their effect', async () => {
  await home.write('early.txt', 'early');
  await home.write('late.txt', 'late');
  await expectDone(['static', 'add', 'early.txt']);
  await expectDone(['static', 'add', 'late.txt']);
  await expectDone(['static', 'remove', 'late.txt']);
  const instance = await home.start();
  expect(await getStatic('early.txt')).toEqual({ status: 200, text: 'early' });
  expect((await getStatic('late.txt')).status).toBe(404);
  const { id } = await upload(home.addresses.files, 'gone tomorrow');
  await instance.stop();
  expect(await listed('attachments')).toMatchObject([{ id }]);
  await expectDone(['attachments', 'remove', id]);
  await home.start();
  expect((await get(`${home.addresses.files}/attachments/${id}`)).status).toBe(404);
});

test('[OP11] the commands work while the instance is busy storing uploads', async () => {
  await home.start();
  await home.write('calm.txt', 'calm');
  const { files } = home.addresses;
  let isOver = false;
  const uploadOn = async () => {
    const ids: string[] = [];
    while (!isOver) ids.push((await upload(files, crypto.randomUUID())).id);
    return ids;
  };
  const uploading = Promise.all(Array.from({ length: 8 }, uploadOn));
  // If the test has already failed, that failure is the one to report.
  uploading.catch(() => {});
  for (let round = 0; round < 3; round += 1) {
    await expectDone(['static', 'add', 'calm.txt', '--name', `calm-${round}.txt`]);
    expect((await getStatic(`calm-${round}.txt`)).text).toBe('calm');
  }
  isOver = true;
  const ids = (await uploading).flat();
  expect((await listed('attachments')).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
});

const LISTING_OR_REMOVING = commandsNamed('list', 'remove').map((place) =>
  [typed(place), ...place.node.parameters.map(() => '12345')].join(' '),
);

test('[OP20] the commands that only list or remove are those of all nouns', () => {
  expect(LISTING_OR_REMOVING).toEqual(
    expect.arrayContaining(['static list', 'static remove 12345', 'messages remove 12345']),
  );
});

test.each(LISTING_OR_REMOVING)(
  '[OP20] hearth %s creates no data: without any, it fails with a line that gives the reason',
  async (line) => {
    const reason = `hearth: DATA_DIR: there is no instance data in ${home.path('data')}: `;
    await expectRefused(line.split(' '), new RegExp(`^${reason}`));
    expect(await home.names()).toEqual(['instance.toml']);
    await mkdir(home.path('data'));
    await expectRefused(line.split(' '), new RegExp(`^${reason}`));
    expect(await readdir(home.path('data'))).toEqual([]);
  },
);

test('[OP20] static add creates the data that the first start will use', async () => {
  await home.write('early.txt', 'early');
  await expectDone(['static', 'add', 'early.txt']);
  await home.startHere();
  expect(await getStatic('early.txt')).toEqual({ status: 200, text: 'early' });
});

test('[OP12] static add refuses a file larger than file_size and accepts one of exactly that size', async () => {
  await home.write('instance.toml', named('effis.file_size = "2kB"'));
  await home.write('fits.txt', 'x'.repeat(2000));
  await home.write('large.txt', 'x'.repeat(2001));
  await expectDone(['static', 'add', 'fits.txt']);
  await expectRefused(
    ['static', 'add', 'large.txt'],
    /large\.txt.*2000 bytes \(effis\.file_size\)/,
  );
  await expectRefused(['static', 'add', 'large.txt', '--name', 'fits.txt'], /2000 bytes/);
  expect(await listed('static')).toMatchObject([{ name: 'fits.txt', sizeBytes: 2000 }]);
});

test('[OP12] static add refuses a name that is a path or is malformed', async () => {
  await home.write('a.txt', 'a');
  for (const name of ['../up.txt', '/etc/passwd', 'a/b.txt', '..', 'a\\b.txt', 'line\nbreak']) {
    await expectRefused(['static', 'add', 'a.txt', `--name=${name}`], /^hearth: cannot add .*name/);
  }
  expect(await listed('static')).toEqual([]);
});

test('[OP12] static add reports a file that it cannot read in one line', async () => {
  await mkdir(home.path('folder'));
  await symlink('nowhere', home.path('link'));
  await home.write('file', '');
  await expectRefused(['static', 'add', 'missing.txt'], /missing\.txt: .*no such file/);
  await expectRefused(['static', 'add', 'folder'], /folder: .*folder/);
  await expectRefused(['static', 'add', 'link'], /link: .*no such file/);
  await expectRefused(['static', 'add', 'file/below'], /below: a part of its path is a file/);
  await expectRefused(['static', 'add', 'x'.repeat(300)], /xxx: its path is too long/);
  await expectRefused(['static', 'add', '/dev/zero'], /zero: .*not a regular file/);
  expect(await home.names()).not.toContain('data');
});

test('[OP13, OP14] removing something that does not exist fails', async () => {
  await home.startHere();
  await expectRefused(['static', 'remove', 'nothing.txt'], /"nothing\.txt"/);
  await expectRefused(['static', 'remove', '../data/hearth.sqlite'], /hearth\.sqlite/);
  await expectRefused(['attachments', 'remove', '12345'], /12345/);
  await expectRefused(['attachments', 'remove', 'photo.png'], /"photo\.png" is not an id/);
});

/** The output of a list command with --json. */
async function listed(what: 'static' | 'attachments'): Promise<Record<string, unknown>[]> {
  const { exitCode, stdout, stderr } = await home.runHere([what, 'list', '--json']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout);
}

async function expectDone(words: readonly string[]): Promise<void> {
  expect(await home.runHere(words)).toMatchObject({ exitCode: 0, stderr: '' });
}

/** Expects the success of a process of the program. */
async function expectProgramDone(words: readonly string[]): Promise<void> {
  expect(await home.run(words)).toMatchObject({ exitCode: 0, stderr: '' });
}

async function expectRefused(words: readonly string[], reason: RegExp): Promise<void> {
  const { exitCode, stdout, stderr } = await home.runHere(words);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(/^hearth: [^\n]+\n$/);
  expect(stderr).toMatch(reason);
}

/** The names of the stored contents in the data directory. */
async function contents(): Promise<string[]> {
  const found = await readdir(home.path('data/blobs'), { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map(({ name }) => name);
}

function getStatic(name: string): Promise<{ status: number; text: string }> {
  return get(`${home.addresses.files}/static/${name}`);
}
