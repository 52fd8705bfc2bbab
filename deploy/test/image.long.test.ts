import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HearthProcess } from '@hearth/testing/programs/hearth-process';
import { run } from '@hearth/testing/programs/runtimes';
import { freePorts } from '@hearth/testing/free-ports';
import { builtImage, type BuiltImage } from './support/built-image.ts';

// The image installs and builds everything from scratch.
setDefaultTimeout(300_000);

// Of which libvips takes 18 MB, and the compiled form of the program's own modules 12 MB.
const MOST_PROGRAM_BYTES = 47_000_000;

/** A GIF of one pixel, whose placeholder needs the native libraries. */
const DOT = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

let image: BuiltImage;
let env: Record<string, string>;
let addresses: Record<'rest' | 'gateway' | 'files' | 'web', string>;

beforeAll(async () => {
  image = await builtImage();
  const [rest, gateway, files, web] = await freePorts(4);
  env = {
    ...image.env,
    HOST: '127.0.0.1',
    OPRISH_PORT: `${rest}`,
    PANDEMONIUM_PORT: `${gateway}`,
    EFFIS_PORT: `${files}`,
    WEB_PORT: `${web}`,
  };
  addresses = {
    rest: `http://127.0.0.1:${rest}`,
    gateway: `ws://127.0.0.1:${gateway}`,
    files: `http://127.0.0.1:${files}`,
    web: `http://127.0.0.1:${web}`,
  };
});

afterAll(() => image[Symbol.asyncDispose]());

function health(): Promise<{ readonly exitCode: number }> {
  return run(image.healthCommand, { cwd: image.workingDir, env });
}

describe('the image of the Dockerfile', () => {
  test('the image has the runtime, the bundle, the native libraries, the health check and an empty data folder, and nothing else', () => {
    const below = (folder: string) => readdirSync(join(image.files, folder)).toSorted();
    expect(below('.')).toEqual(['data', 'hearth', 'usr']);
    expect(below('data')).toEqual([]);
    expect(below('usr/local/bin')).toEqual(['bun']);
    const program = below('hearth');
    expect(program).toHaveLength(5);
    expect(program).toEqual(
      expect.arrayContaining([
        'current',
        'health.ts',
        'hearth.js',
        'node_modules',
        expect.stringMatching(/^[\da-f]{16}$/),
      ]),
    );
    const files = readdirSync(join(image.files, 'hearth'), { recursive: true, encoding: 'utf8' });
    const sizes = files.map((file) => statSync(join(image.files, 'hearth', file)).size);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(MOST_PROGRAM_BYTES);
  });

  test('the image runs without the rest of the repository, reports its health, and stops on SIGTERM', async () => {
    expect((await health()).exitCode).toBe(1);
    await using hearth = new HearthProcess({
      command: image.command(),
      folder: image.workingDir,
      env,
    });
    await hearth.started();
    expect((await health()).exitCode).toBe(0);
    const page = await fetch(addresses.web);
    expect(await page.text()).toStartWith('<!doctype html>');
    const socket = new WebSocket(addresses.gateway);
    const opened = new Promise((resolve) => {
      socket.addEventListener('open', resolve);
    });
    const received = new Promise((resolve) => {
      socket.addEventListener('message', ({ data }) => resolve(data));
    });
    await opened;
    const message = { author: 'ada', content: 'from an image' };
    const posted = await fetch(`${addresses.rest}/messages`, {
      method: 'POST',
      body: JSON.stringify(message),
    });
    expect(posted.status).toBe(200);
    expect(await received).toBe(JSON.stringify({ op: 'MESSAGE_CREATE', d: message }));
    const form = new FormData();
    form.set('file', new Blob(['uploaded']), 'a.txt');
    const uploaded = await fetch(`${addresses.files}/attachments`, { method: 'POST', body: form });
    const { id }: { id: string } = await uploaded.json();
    expect(await (await fetch(`${addresses.files}/${id}`)).text()).toBe('uploaded');
    const picture = new FormData();
    picture.set('file', new Blob([Uint8Array.fromBase64(DOT)]), 'a.gif');
    const described = await fetch(`${addresses.files}/`, { method: 'POST', body: picture });
    expect(await described.json()).toMatchObject({ placeholder: expect.any(String) });
    const { exitCode } = await hearth.stop();
    expect(exitCode).toBe(0);
    expect(readdirSync(join(image.files, 'data'))).toContain('instance.toml');
    expect((await health()).exitCode).toBe(1);
  });

  test("the image runs an owner's command", async () => {
    const { exitCode, stdout } = await run(image.command(['--version']), { env });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^hearth \d/);
  });
});
