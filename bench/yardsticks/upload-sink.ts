import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';

// The least work to store a body and to know its hash: each chunk is hashed and written when it arrives, and is not
// searched for anything. The file is in the working directory, and it is synced if the path asks for it.

let uploads = 0;

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  development: false,
  maxRequestBodySize: Infinity,
  idleTimeout: 255,
  async fetch(request) {
    uploads += 1;
    const path = String(uploads);
    const hash = createHash('sha256');
    const file = await open(path, 'wx');
    for await (const chunk of request.body ?? []) {
      hash.update(chunk);
      let written = 0;
      while (written < chunk.byteLength) written += (await file.write(chunk, written)).bytesWritten;
    }
    if (request.url.endsWith('/synced')) await file.sync();
    await file.close();
    await rm(path);
    return Response.json({ sha256: hash.digest('hex') });
  },
});
process.stdout.write(`${server.port}\n`);
