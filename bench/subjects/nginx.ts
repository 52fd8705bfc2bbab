import { join } from 'node:path';
import { freePorts } from '@hearth/testing/free-ports';
import { endWith, temporaryFolder } from './left-behind.ts';
import { nginxProgram } from './programs.ts';
import { RunningSubject, type Subject } from './subject.ts';

const GIVE_UP_MS = 10_000;
const POLL_MS = 5;

// One worker, because the file service is one process too. Features that cost time and are not needed here are off.
const configuration = (folder: string, port: number) => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=100;
  default_type application/octet-stream;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    root ${folder}/files;
  }
}
`;

/** nginx with these files, or undefined if it is not installed. */
export function nginx(files: Readonly<Record<string, Uint8Array>>): Subject | undefined {
  const program = nginxProgram();
  if (program === undefined) return undefined;
  return { name: 'nginx', start: () => start(program, files) };
}

async function start(
  program: string,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<RunningSubject> {
  await using resources = new AsyncDisposableStack();
  const { path: folder } = resources.use(temporaryFolder());
  const [port = 0] = await freePorts(1);
  for (const [name, content] of Object.entries(files)) {
    await Bun.write(join(folder, 'files', name), content);
  }
  await Bun.write(join(folder, 'nginx.conf'), configuration(folder, port));
  const child = Bun.spawn([program, '-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  endWith(resources, child);
  const [name = ''] = Object.keys(files);
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (!(await serves(port, name))) {
    if (child.exitCode !== null) throw new Error('nginx ended before it listened');
    if (performance.now() > giveUpAt) throw new Error('nginx does not answer');
    await Bun.sleep(POLL_MS);
  }
  const ports = { rest: port, gateway: port, files: port };
  return new RunningSubject([child.pid], ports, resources.move());
}

function serves(port: number, name: string): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/${name}`, {
    method: 'HEAD',
    signal: AbortSignal.timeout(GIVE_UP_MS),
  }).then(
    ({ ok }) => ok,
    () => false,
  );
}
