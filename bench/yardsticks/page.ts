import { Database } from 'bun:sqlite';

// The least possible cost of a page of messages: the rows by the primary key, as JSON. The first argument is the database,
// the second the channel; `?before=` is the id, with leading zeros, before which the page ends.

const [path = '', channel = ''] = process.argv.slice(2);
const database = new Database(path, { readonly: true });
const select = database.prepare(
  'select * from channel_messages where channel_id = ? and id < ? order by id desc limit 50',
);
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  development: false,
  fetch(request) {
    const before = request.url.slice(request.url.indexOf('=') + 1);
    const body = JSON.stringify(select.all(channel, before));
    return new Response(body, { headers: { 'Content-Type': 'application/json' } });
  },
});
process.stdout.write(`${server.port}\n`);
