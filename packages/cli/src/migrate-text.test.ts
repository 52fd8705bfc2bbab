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
])('[OP33] the address %s is shown without its password', (to, shown) => {
  const text = doneText({ instanceId: '1', dataDir: '/data', to, blobs: undefined });
  expect(text).toContain(`\n  DATABASE_URL=${shown}\n`);
  expect(text).not.toContain('secret');
});

test('[OP34] if the files were copied, BLOBS_URL is among the variables to set', () => {
  const blobs = 's3://files/hearth?endpoint=http://127.0.0.1:8333&region=eu';
  const text = doneText({ instanceId: '1', dataDir: '/data', to: 'postgres://db/hearth', blobs });
  expect(text).toContain(`\n  DATABASE_URL=postgres://db/hearth\n  BLOBS_URL=${blobs}\n`);
  expect(text).not.toContain('stay in');
});

test('[OP33] progress is shown in bytes while files are copied, otherwise in rows', () => {
  const at = { table: 'contents', doneRows: 7, totalRows: 20 } as const;
  expect(progressText({ ...at, bytes: { done: 999, total: 3_000_000 } })).toBe(
    'files: 0 % of 3.0 MB (7 of 20)',
  );
  expect(progressText({ ...at, bytes: { done: 0, total: 0 } })).toBe(
    'files: 0 % of 0 bytes (7 of 20)',
  );
  expect(progressText({ ...at, table: 'uploads', bytes: undefined })).toBe('attachments: 7 of 20');
});

test('[OP35,OP36] the report of a table counts the rows that were already there and those that were removed', () => {
  const table = { table: 'contents', rows: 9, rowsBefore: 4, rowsRemoved: 2 } as const;
  expect(movedText(table, undefined)).toBe(
    'Moved records of files: 9 (4 already there, 2 removed as outdated)\n',
  );
  const contents = { copied: 5, copiedBytes: 1_500, copiedBefore: 3, faults: [] };
  expect(movedText({ ...table, rowsRemoved: 0 }, contents)).toBe(
    'Moved files: 9 (1.5 kB copied, 3 already there)\n',
  );
});

test('[OP33] a table that is empty on both sides is not reported', () => {
  const table = { table: 'statics', rows: 0, rowsBefore: 0, rowsRemoved: 0 } as const;
  expect(movedText(table, undefined)).toBe('');
  expect(movedText({ ...table, rowsRemoved: 1 }, undefined)).toBe(
    'Moved static files: 0 (1 removed as outdated)\n',
  );
});

test('[OP37] a fault names every file with the content, without control characters', () => {
  const fault = { blobKey: 'key', problem: 'it is missing', uploads: [], statics: [] };
  expect(faultText(fault)).toBe('not copied: content key: it is missing');
  const uploads = [{ id: '12', name: 'a\u001b[2Jb.png' }];
  expect(faultText({ ...fault, uploads, statics: ['logo.svg'] })).toBe(
    'not copied: attachment 12 (a\ufffd[2Jb.png), static file logo.svg: it is missing',
  );
});
