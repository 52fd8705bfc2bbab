// Starts an instance with the README's command on a machine with only Node and npm, uses it, and stops it.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 15_000;

const folder = await mkdtemp(join(tmpdir(), 'newcomer-'));
const [rest, gateway, files, web] = await freePorts(4);
const startedAt = performance.now();
const instance = spawn('npx', ['--yes', 'bun@1.4.5', 'start'], {
  env: {
    ...process.env,
    DATA_DIR: join(folder, 'data'),
    OPRISH_PORT: String(rest),
    PANDEMONIUM_PORT: String(gateway),
    EFFIS_PORT: String(files),
    WEB_PORT: String(web),
  },
  stdio: ['ignore', 'inherit', 'inherit'],
  // In a process group of its own, so that everything that it starts can be ended with it.
  detached: true,
});
const exited = new Promise((resolve) => {
  instance.once('exit', (code, signal) => resolve({ code, signal }));
});

try {
  const info = await firstAnswer(`http://127.0.0.1:${rest}/`);
  console.log(`first answer after ${Math.round(performance.now() - startedAt)} ms:`, info);
  await openInBrowser();
  await post();
  await upload();
  instance.kill('SIGTERM');
  await within(exited, STOP_TIMEOUT_MS, 'the instance did not stop');
  // npx itself ends at the signal without waiting, so check that the instance closes its port.
  await within(untilRefused(`http://127.0.0.1:${rest}/`), STOP_TIMEOUT_MS, 'the instance goes on');
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  endGroup();
  await rm(folder, { recursive: true, force: true });
}

function endGroup() {
  try {
    process.kill(-instance.pid, 'SIGKILL');
  } catch {
    // The group has ended already.
  }
}

async function firstAnswer(url, read = (answer) => answer.json()) {
  const endsAt = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < endsAt) {
    try {
      return await read(await fetch(url));
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error(`no answer within ${START_TIMEOUT_MS} ms`);
}

async function untilRefused(url) {
  for (;;) {
    try {
      await (await fetch(url)).arrayBuffer();
      await new Promise((resolve) => setTimeout(resolve, 100));
    } catch {
      return;
    }
  }
}

async function openInBrowser() {
  // Its port is opened a moment after the others.
  const page = await firstAnswer(`http://127.0.0.1:${web}/`, (answer) => answer.text());
  if (!page.includes('<script type="application/json" id="instance-info">{')) {
    throw new Error(`the web client's page does not mention the instance: ${page}`);
  }
  const loaded = Array.from(
    page.matchAll(/ (?:src|href)="([^"]+\.(?:js|css))"/g),
    ([, path]) => path,
  );
  if (loaded.length < 2) throw new Error(`the web client's page loads nothing: ${page}`);
  const texts = await Promise.all(loaded.map((path) => text(`http://127.0.0.1:${web}/${path}`)));
  console.log(
    'web client:',
    loaded.map((path, index) => `${path} (${texts[index].length})`).join(', '),
  );
}

async function text(url) {
  const answer = await fetch(url);
  if (answer.status !== 200) throw new Error(`${url} is answered with ${answer.status}`);
  return answer.text();
}

async function post() {
  const message = { author: 'newcomer', content: 'Hello from a fresh machine' };
  const body = JSON.stringify(message);
  const answer = await (
    await fetch(`http://127.0.0.1:${rest}/messages`, { method: 'POST', body })
  ).json();
  if (JSON.stringify(answer) !== body)
    throw new Error(`unexpected answer ${JSON.stringify(answer)}`);
}

async function upload() {
  const bytes = new Uint8Array(300_000).map((_, index) => index % 251);
  const form = new FormData();
  form.append('file', new Blob([bytes]), 'bytes.bin');
  const { id } = await (
    await fetch(`http://127.0.0.1:${files}/`, { method: 'POST', body: form })
  ).json();
  const back = new Uint8Array(await (await fetch(`http://127.0.0.1:${files}/${id}`)).arrayBuffer());
  if (Buffer.compare(back, bytes) !== 0)
    throw new Error('the upload did not come back byte for byte');
}

function within(promise, timeoutMs, message) {
  let timer;
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), timeoutMs);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}

/** Below the ports that the system assigns, so that no other program takes one before the instance does. */
async function freePorts(count) {
  const ports = [];
  for (let port = 14_000 + (process.pid % 4_000); ports.length < count; port += 1) {
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
