/** Uploads a file and prints how often it measured, and by how many bytes the process grew at most. A test runs it with an address and a path. */
import { openAsBlob } from 'node:fs';
import { connect } from '@hearth/sdk';

const [address = '', path = ''] = process.argv.slice(2);
const collect: unknown = Reflect.get(globalThis, 'gc');
const client = await connect(address);
// The first one loads what every upload needs.
await client.files.upload(new Blob(['x']));
const before = process.memoryUsage().rss;
let growth = -Infinity;
let reports = 0;
let looks = 0;
await client.files.upload(await openAsBlob(path), {
  onProgress: () => {
    reports += 1;
    if (reports % 50 !== 0) return;
    if (typeof collect === 'function') collect();
    looks += 1;
    growth = Math.max(growth, process.memoryUsage().rss - before);
  },
});
process.stdout.write(`${looks} ${growth}`);
await client.close();
