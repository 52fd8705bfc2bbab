import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '@hearth/testing/free-ports';
import { endWith, temporaryFolder } from './left-behind.ts';
import { nginxProgram } from './programs.ts';
import { RunningSubject, type Subject } from './subject.ts';

/** The folder of the module on Debian. */
const MODULE = '/usr/lib/nginx/modules/ngx_nchan_module.so';

const GIVE_UP_MS = 10_000;
const POLL_MS = 5;

/** nginx with its Nchan module, which sends posts to all listeners; undefined if it is not installed. */
export function nchan(): Subject | undefined {
  const program = nginxProgram();
  if (program === undefined || !existsSync(MODULE)) return undefined;
  return { name: 'nginx with Nchan', start: () => start(program) };
}

const configuration = (folder: string, port: number) => `
daemon off;
load_module ${MODULE};
worker_processes 1;
worker_rlimit_nofile 20000;
pid ${folder}/nginx.pid;
error_log stderr error;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 12000; }
http {
  access_log off;
  keepalive_requests 1000000000;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    location = /messages {
      nchan_publisher http;
      nchan_channel_id lobby;
      nchan_message_buffer_length 1000;
    }
    location = / {
      nchan_subscriber websocket;
      nchan_channel_id lobby;
      nchan_subscriber_first_message newest;
    }
    location = /health { return 204; }
  }
}
`;

async function start(program: string): Promise<RunningSubject> {
  await using resources = new AsyncDisposableStack();
  const { path: folder } = resources.use(temporaryFolder());
  const [port = 0] = await freePorts(1);
  await Bun.write(join(folder, 'nginx.conf'), configuration(folder, port));
  const child = Bun.spawn([program, '-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  endWith(resources, child);
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (!(await isUp(port))) {
    if (child.exitCode !== null) throw new Error('nginx ended before it listened');
    if (performance.now() > giveUpAt) throw new Error('nginx does not answer');
    await Bun.sleep(POLL_MS);
  }
  return new RunningSubject(
    [child.pid],
    { rest: port, gateway: port, files: port },
    resources.move(),
  );
}

function isUp(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}
