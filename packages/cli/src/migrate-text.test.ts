import { expect, test } from 'bun:test';
import { doneText, faultText, movedText, progressText } from './migrate-text.ts';

test.each([
  ['postgres://ada:secret@db:5432/hearth', 'postgres://…@db:5432/hearth'],
  ['postgres://ada:se%40cret@db/hearth', 'postgres://…@db/hearth'],
  ['postgres://ada:a@secret@db/hearth', 'postgres://…@db/hearth'],
  [
    'postgres://db/hearth?user=ada&password=secret&sslmode=require',
    'postgres://db/hearth?user=ada&password=…&sslmode=require',
  ],
  ['postgres://db/hearth?application_name=a@b', 'postgres://db/hearth?application_name=a@b'],
])('[OP33] of the address %s it shows no password', (to, shown) => {
  const text = doneText({ instanceId: '1', dataDir: '/data', to, blobs: undefined });
  expect(text).toContain(`\n  DATABASE_URL=${shown}\n`);
  expect(text).not.toContain('secret');
});

test('[OP34] where the files were copied, their address is to be set too', () => {
  const blobs = 's3://files/hearth?endpoint=http://127.0.0.1:8333&region=eu';
  const text = doneText({ instanceId: '1', dataDir: '/data', to: 'postgres://db/hearth', blobs });
  expect(text).toContain(`\n  DATABASE_URL=postgres://db/hearth\n  BLOBS_URL=${blobs}\n`);
  expect(text).not.toContain('stay in');
});

test('[OP33] progress is told in bytes where there are some to copy, in rows otherwise', () => {
  const at = { table: 'contents', doneRows: 7, totalRows: 20 } as const;
  expect(progressText({ ...at, bytes: { done: 999, total: 3_000_000 } })).toBe(
    'files: 0 % of 3.0 MB (7 of 20)',
  );
  expect(progressText({ ...at, bytes: { done: 0, total: 0 } })).toBe(
    'files: 0 % of 0 bytes (7 of 20)',
  );
  expect(progressText({ ...at, table: 'uploads', bytes: undefined })).toBe('attachments: 7 of 20');
});

test('[OP35,OP36] what is moved is told with what was there and what is gone', () => {
  const table = { table: 'contents', rows: 9, rowsBefore: 4, rowsRemoved: 2 } as const;
  expect(movedText(table, undefined)).toBe(
    'Moved records of files: 9 (4 there already, 2 removed that are gone or have changed)\n',
  );
  const contents = { copied: 5, copiedBytes: 1_500, copiedBefore: 3, faults: [] };
  expect(movedText({ ...table, rowsRemoved: 0 }, contents)).toBe(
    'Moved files: 9 (1.5 kB copied, 3 there already)\n',
  );
});

test('[OP33] nothing is said of a table that is empty and was', () => {
  const table = { table: 'statics', rows: 0, rowsBefore: 0, rowsRemoved: 0 } as const;
  expect(movedText(table, undefined)).toBe('');
  expect(movedText({ ...table, rowsRemoved: 1 }, undefined)).toBe(
    'Moved static files: 0 (1 removed that are gone or have changed)\n',
  );
});

test('[OP37] a fault names all that the content is, and nothing that a terminal obeys', () => {
  const fault = { blobKey: 'key', problem: 'it is missing', uploads: [], statics: [] };
  expect(faultText(fault)).toBe('not copied: content key: it is missing');
  const uploads = [{ id: '12', name: 'a\u001b[2Jb.png' }];
  expect(faultText({ ...fault, uploads, statics: ['logo.svg'] })).toBe(
    'not copied: attachment 12 (a\ufffd[2Jb.png), static file logo.svg: it is missing',
  );
});
