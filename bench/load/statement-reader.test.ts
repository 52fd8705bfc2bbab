import { expect, test } from 'bun:test';
import { StatementReader } from './statement-reader.ts';

const STARTUP = message('', '\0\x03\0\0user\0hearth\0\0');

const SENT = Buffer.concat([
  STARTUP,
  message('Q', 'begin\0'),
  message('P', 'mine\0select 1\0\0\0'),
  message('P', '\0select $1\0\0\0'),
  message('B', '\0\0\0\0\0\0\0\0'),
  message('D', 'P\0'),
  message('E', '\0\0\0\0\0'),
  message('S', ''),
  message('B', '\0mine\0\0\0\0\0\0\0'),
  message('E', '\0\0\0\0\0'),
  message('X', ''),
]);

test('statements are read when they are run, prepared or not', () => {
  expect(new StatementReader().take(SENT)).toEqual(['begin', 'select $1', 'select 1']);
});

test('it makes no difference how the bytes are divided', () => {
  const reader = new StatementReader();
  const run = Array.from(SENT, (byte) => reader.take(Buffer.from([byte]))).flat();
  expect(run).toEqual(['begin', 'select $1', 'select 1']);
});

function message(type: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + Buffer.byteLength(body));
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
}
