import { ValidationError } from '@hearth/protocol';
import { describe, expect, test } from 'bun:test';
import { fakeClock } from '@hearth/testing/fake-clock';
import { pacedBody } from './paced-body.ts';

const TEN_MINUTES_MS = 600_000;

/** Reads a body whose chunks of `bytes` come every `everyMs`, and returns what was allowed for each. */
async function read({ chunks, bytes, everyMs }: Record<'chunks' | 'bytes' | 'everyMs', number>) {
  const clock = fakeClock();
  const allowed: number[] = [];
  const peer = {
    address: '192.0.2.1',
    isCrowded: false,
    allowSilence: (seconds: number) => allowed.push(seconds),
    beginTransfer: () => true,
  };
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        clock.advance(everyMs);
        sent += 1;
        if (sent > chunks) controller.close();
        else controller.enqueue(new Uint8Array(bytes));
      },
    },
    { highWaterMark: 0 },
  );
  let received = 0;
  for await (const chunk of pacedBody(body.getReader(), { clock, peer })) {
    received += chunk.byteLength;
  }
  return { received, allowed };
}

describe('[FS15] an upload', () => {
  test('an upload is allowed a pause of 60 seconds and more before each chunk and before its end', async () => {
    const { received, allowed } = await read({ chunks: 5, bytes: 1_000, everyMs: 60_000 });
    expect(received).toBe(5_000);
    expect(allowed).toHaveLength(6);
    for (const seconds of allowed) expect(seconds).toBeWithin(60, 256);
  });

  test('an upload of 1,000 bytes a second may continue for any time', async () => {
    const { received } = await read({ chunks: 20_000, bytes: 1_000, everyMs: 1_000 });
    expect(received).toBe(20_000_000);
  });

  test('that is slower is refused after its ten minutes are used up', async () => {
    const trickle = { bytes: 1, everyMs: 1_000 };
    const chunks = TEN_MINUTES_MS / 1_000;
    expect((await read({ chunks, ...trickle })).received).toBe(chunks);
    await expect(read({ chunks: chunks + 1, ...trickle })).rejects.toThrow(
      new ValidationError('body', 'must arrive at 1000 bytes a second at least'),
    );
  });
});

/** Returns what is left of the chunks of a body after it was read. */
async function bytesLeft(...chunks: readonly Uint8Array[]): Promise<number[]> {
  const peer = {
    address: '192.0.2.1',
    isCrowded: false,
    allowSilence: () => {},
    beginTransfer: () => true,
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  let read = 0;
  for await (const chunk of pacedBody(body.getReader(), { clock: fakeClock(), peer })) {
    read += chunk.byteLength;
  }
  expect(read).toBeGreaterThan(0);
  return chunks.map((chunk) => chunk.byteLength);
}

describe('the memory of a chunk', () => {
  test('the memory is freed when the next chunk is requested', async () => {
    expect(await bytesLeft(new Uint8Array(65_536), new Uint8Array(1))).toEqual([0, 0]);
  });

  test('the memory is not freed if other chunks share it', async () => {
    const shared = new Uint8Array(65_536);
    const cuts = [shared.subarray(0, 10), shared.subarray(10)];
    expect(await bytesLeft(...cuts, new Uint8Array(new SharedArrayBuffer(5)))).toEqual([
      10, 65_526, 5,
    ]);
  });
});
