/** A program that uses everything, closes its client, and does nothing to end itself. A test runs it with an address. */
import { connect } from '../../src/index.ts';

process.on('uncaughtException', (error) => process.stdout.write(`uncaught: ${String(error)}\n`));

const client = await connect(process.argv[2] ?? '');
client.on('message', () => {
  throw new Error('in a listener');
});
client.on('message', ({ author }) => process.stdout.write(`heard: ${author}\n`));
const messages = client.messages();
await client.open();
const { id } = await client.files.upload(new Blob(['x'.repeat(1_000_000)]), {
  onProgress: ({ sentBytes, totalBytes }) => {
    if (sentBytes === totalBytes) throw new Error('in the progress');
  },
});
await client.send({ author: 'ada', content: client.files.url(id) });
const { value } = await messages.next();
process.stdout.write(`message: ${value.author}\n`);
// A body that nobody reads, requests that wait for a limit, and a reader.
await client.files.fetch(id);
const waiting = Array.from({ length: 20 }, () => client.rest.rateLimits().catch(() => 'closed'));
const reading = messages.next();
await client.close();
await Promise.all(waiting);
process.stdout.write(`closed: ${JSON.stringify(await reading)}\n`);
