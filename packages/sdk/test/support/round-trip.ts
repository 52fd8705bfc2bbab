/** A program that uses everything once, with nothing but the language and the web's interfaces. Tests run it with an address. */
import { connect, NotFoundError, ValidationError } from '@hearth/sdk';

const client = await connect(process.argv[2] ?? '');
const messages = client.messages();
await client.open();
const { connection } = client;

const content = 'x'.repeat(3_000_000);
let reported = 0;
const file = await client.files.upload(new File([content], 'Grüße "1".txt'), {
  spoiler: true,
  onProgress: ({ sentBytes }) => {
    reported = sentBytes;
  },
});
const download = await client.files.fetch(file.id, { range: { from: 1, to: 3 } });
const part = await (await download.blob()).text();
const whole = await client.files.fetch(file.id);
let size = 0;
for await (const chunk of whole.body) size += chunk.byteLength;

await client.send({ author: 'ada', content: client.files.url(file.id), nonce: 'n' });
const { value } = await messages.next();
const [listed] = await client.rest.listMessages({ limit: 1 });

const invalid = await client.send({ author: 'a', content: 'x' }).catch((error) => error);
const missing = await client.files.data('7').catch((error) => error);
const abort = new AbortController();
const endless = client.files.upload(new Blob([content]), {
  signal: abort.signal,
  onProgress: () => abort.abort('enough'),
});
const reason = await endless.catch((error) => error);
await client.close();

const result = {
  connection,
  name: file.name,
  spoiler: file.spoiler,
  reported,
  part,
  size,
  isSame:
    value.id === listed?.id && value.nonce === 'n' && client.files.idOf(value.content) === file.id,
  isInvalid: invalid instanceof ValidationError && invalid.fieldName === 'author',
  isMissing: missing instanceof NotFoundError,
  reason,
  last: await messages.next(),
};
process.stdout.write(`${JSON.stringify(result)}\n`);
