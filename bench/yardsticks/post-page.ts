import { Database } from 'bun:sqlite';

// The least possible cost of a page of posts: 50 rows from all over the table by their primary key, as JSON. The argument is the database.

const [path = ''] = process.argv.slice(2);
const PAGE = 50;
const database = new Database(path, { readonly: true });
const ids = database
  .query<{ id: string }, []>('select id from posts order by hot desc limit 50')
  .all()
  .map(({ id }) => id);
if (ids.length !== PAGE) throw new Error('there are too few posts');
const select = database.prepare(`select * from posts where id in (${ids.map(() => '?').join()})`);
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  development: false,
  fetch() {
    const body = JSON.stringify(select.all(...ids));
    return new Response(body, { headers: { 'Content-Type': 'application/json' } });
  },
});
process.stdout.write(`${server.port}\n`);
