import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { consumer, type Consumer } from '@hearth/testing/programs/consumer';
import { bunAndNode, isThere, nodeOf, run } from '@hearth/testing/programs/runtimes';
import { tempFolder, type TempFolder } from '@hearth/testing/temp-folder';
import { startTestInstance } from '@hearth/testing/instances/test-instance';

// A runtime may have to be downloaded first.
setDefaultTimeout(300_000);

const ROOT = join(import.meta.dir, '..');
const NAMES = ['protocol', 'sdk'] as const;

let packed: TempFolder;
let project: Consumer;

beforeAll(async () => {
  packed = await tempFolder();
  project = await consumer();
  const made = await run([process.execPath, join(ROOT, 'scripts/pack.ts'), packed.path]);
  expect(made).toEqual({ exitCode: 0, stdout: made.stdout, stderr: '' });
  const paths = await Promise.all(NAMES.map((name) => tarball(name)));
  expect(made.stdout).toBe(
    paths
      .map((path) => `${path}\n`)
      .toReversed()
      .join(''),
  );
  for (const name of NAMES) {
    const folder = join(project.path, 'node_modules/@hearth', name);
    await mkdir(folder, { recursive: true });
    await run(['tar', '-xzf', await tarball(name), '-C', folder, '--strip-components=1']);
  }
  await project.link('zod', join(ROOT, 'packages/protocol/node_modules/zod'));
  await project.link('ws', join(ROOT, 'packages/sdk/node_modules/ws'));
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await packed[Symbol.asyncDispose]();
});

async function tarball(name: string): Promise<string> {
  const found = (await readdir(packed.path)).filter((file) => file.startsWith(`hearth-${name}-`));
  expect(found).toHaveLength(1);
  return join(packed.path, found[0] ?? '');
}

describe.each([...NAMES])('the package %s', (name) => {
  test('the package contains its build output, README, license and manifest, and nothing else', async () => {
    const { stdout } = await run(['tar', '-tzf', await tarball(name)]);
    const files = stdout.trim().split('\n').toSorted();
    const others = files.filter((file) => !/^package\/dist\/[\w/-]+(\.js|\.d\.ts)$/.test(file));
    const licenses = name === 'sdk' ? ['package/dist/zod/LICENSE'] : [];
    const texts = ['package/LICENSE', 'package/README.md', 'package/package.json'];
    expect(others).toEqual([...texts, ...licenses].toSorted());
    const scripts = files.filter((file) => file.endsWith('.js'));
    const declarations = files.filter((file) => file.endsWith('.d.ts'));
    expect(declarations.length).toBeGreaterThan(10);
    if (name === 'sdk') {
      // Its entry points, and what they share.
      expect(scripts.filter((file) => !/\/chunk-\w+\.js$/.test(file))).toEqual([
        'package/dist/communities.js',
        'package/dist/index.js',
        'package/dist/posts.js',
        'package/dist/schemas.js',
      ]);
      expect(declarations).toContain('package/dist/index.d.ts');
      expect(declarations).toContain('package/dist/schemas.d.ts');
    } else {
      expect(scripts.length).toBeGreaterThan(10);
      for (const file of scripts) expect(files).toContain(file.replace(/\.js$/, '.d.ts'));
    }
    expect(files.filter((file) => file.includes('test'))).toEqual([]);
  });

  test('the package depends on published versions, and the library on nothing', async () => {
    const path = join(project.path, 'node_modules/@hearth', name, 'package.json');
    const manifest = JSON.parse(await readFile(path, 'utf8'));
    expect(Object.keys(manifest)).not.toContain('private');
    expect(Object.keys(manifest)).not.toContain('devDependencies');
    for (const version of Object.values(manifest.dependencies)) {
      expect(version).toMatch(/^[0-9]+\.[0-9]+\.[0-9]+$/);
    }
    expect(Object.keys(manifest.dependencies)).toEqual(name === 'sdk' ? [] : ['zod']);
    const { '.': main } = manifest.exports;
    expect(main).toEqual({ types: './dist/index.d.ts', default: './dist/index.js' });
  });
});

test('a TypeScript project with every check switched on can use the packages', async () => {
  await project.write(
    'typed.ts',
    `import { connect, RateLimitedError, type Client, type FileData } from '@hearth/sdk';
     import { parseId } from '@hearth/protocol';
     import { messageSchema } from '@hearth/protocol/schemas';
     export async function use(client: Client): Promise<FileData> {
       for await (const { content } of client.messages()) if (content.length > 3) break;
       const id = parseId('1');
       await client.rest.listMessages(id === undefined ? {} : { after: id });
       messageSchema(3).parse({});
       return client.files.upload(new Blob(['x']), { onProgress: ({ sentBytes }) => sentBytes });
     }
     // @ts-expect-error an address has to be given
     await connect();
     // @ts-expect-error there is no such field
     new RateLimitedError('x', 1).bytesLeft;`,
  );
  const options = { exactOptionalPropertyTypes: true, skipLibCheck: false };
  expect(await project.check(options)).toEqual({ exitCode: 0, stdout: '', stderr: '' });
});

const plain = `
  const client = await connect(process.argv[2], options);
  const messages = client.messages();
  await client.open();
  await client.send({ author: 'ada', content: 'hello' });
  const { value } = await messages.next();
  const { id } = await client.files.upload(new Blob(['x']));
  console.log(value.content, await (await (await client.files.fetch(id)).blob()).text());
  await client.close();`;

test.each([
  ['Bun, and newer Node', await bunAndNode(22), ''],
  [
    'Node 20 with a WebSocket from a package',
    [await nodeOf(20)],
    "import { WebSocket } from 'ws';",
  ],
])('a program in JavaScript can use the packages: %s', async (_which, runtimes, injected) => {
  const options = injected === '' ? '{}' : '{ WebSocket }';
  const text = `import { connect } from '@hearth/sdk'; ${injected} const options = ${options};${plain}`;
  const program = await project.write('program.js', text);
  await using instance = await startTestInstance();
  for (const { command } of runtimes.filter(isThere)) {
    const ended = await run([...command, program, instance.addresses.rest]);
    expect(ended).toEqual({ exitCode: 0, stdout: 'hello x\n', stderr: '' });
  }
});
