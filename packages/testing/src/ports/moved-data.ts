import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { dataFolder } from '../../../server/src/data-folder.ts';
import type { MoveEnds } from '../../../server/src/features/operation/move-instance/move.ts';
import { movedTables } from '../../../server/src/features/operation/move-instance/moved-tables.ts';
import { diskBlobs } from '../../../server/src/ports/blobs/disk.ts';
import type { Blobs } from '../../../server/src/ports/blobs/blobs.ts';
import type { Database, Writer } from '../../../server/src/ports/database/database.ts';
import { sqliteDatabase } from '../../../server/src/engines/databases.ts';
import { storedId } from '../../../server/src/ports/database/stored-id.ts';
import { ownerOutbox } from '../../../server/src/ports/outbox/outbox.ts';
import { MIGRATIONS, TABLES } from '../../../server/src/schema.ts';
import { writeMigratedSqlite } from '../servers/migrated-sqlite.ts';
import { tempFolder } from '../temp-folder.ts';

/** The tables that are moved. */
export const MOVED = movedTables(TABLES).map(({ name }) => name);

/** The data of an embedded instance, opened as another process would. */
export interface EmbeddedData extends AsyncDisposable {
  readonly path: string;
  readonly database: Database;
  readonly blobs: Blobs;
}

/** Opens the data in `path`, or makes it if there is none. Without a path the data is in a new folder. */
export async function embeddedData(path?: string, migrations = MIGRATIONS): Promise<EmbeddedData> {
  await using resources = new AsyncDisposableStack();
  const at = path ?? resources.use(await tempFolder()).path;
  const folder = dataFolder(at);
  await mkdir(at, { recursive: true });
  if (path === undefined) await writeMigratedSqlite(folder.database);
  const database = resources.use(await sqliteDatabase(folder.database, { migrations }));
  const blobs = resources.use(await diskBlobs(folder.blobs));
  const owned = resources.move();
  return { path: at, database, blobs, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** The source and the destination of a move, with the contents. */
export function endsOf(source: EmbeddedData, target: EmbeddedData): MoveEnds {
  return { source: { reader: source.database.reader, blobs: source.blobs }, target };
}

/** The amount of data to be moved. */
export interface DataSize {
  readonly contents: number;
  readonly uploads: number;
  readonly statics: number;
  readonly groups: number;
}

/** Adds data like that of an instance after some years, including values that are hard to move. */
export async function fill(data: EmbeddedData, size: DataSize): Promise<void> {
  const contents: ContentRow[] = [];
  for (const _ of Array(size.contents)) contents.push(await writeContent(data.path));
  await data.database.transaction(async ({ sql: writer }) => {
    await setSetting(writer, 'instance_id', '145000000');
    await setSetting(writer, 'id_mark', String(Math.floor(Math.random() * 1e15)));
    for (const row of contents) await writer.insertInto('contents').values(row).execute();
    const keys = contents.map((row) => row.blob_key);
    for (const _ of Array(size.uploads)) await insertUpload(writer, anyOf(keys));
    // The last ones, because tests change the first.
    for (const [index, key] of keys.toSorted().slice(-4).entries()) {
      await writer
        .insertInto('media_variants')
        .values({
          source_key: key,
          pixels: 96,
          format: index % 2 === 0 ? 'avif' : 'plain',
          blob_key: index === 0 ? null : key,
        })
        .execute();
    }
    for (const [count] of Array(size.statics).entries()) {
      await insertStaticFile(writer, `${NAMES[count % NAMES.length]}${count}`, anyOf(keys));
    }
    for (const [number] of Array(size.groups).entries()) await insertGroup(writer, number);
    await insertModeration(writer);
    await writer.insertInto('discarded_blobs').values({ blob_key: crypto.randomUUID() }).execute();
  });
  await ownerOutbox(data.database).transaction(async (tx) => {
    for (const subject of ['lobby', ...NAMES, 'lobby']) {
      const event = { op: 'MADE_UP', d: { subject } };
      await tx.emit({ stream: 'lobby', event }, { subject });
    }
  });
}

async function insertModeration(writer: Writer): Promise<void> {
  const name = crypto.randomUUID();
  await writer.insertInto('restrictions').values({ name, value: '{"reason":"ß"}' }).execute();
  const ban = { created_at_ms: 1_800_000_000_000, until_ms: 0, reason: "o'hara" };
  const id = crypto.randomUUID();
  await writer
    .insertInto('bans')
    .values({ key: id, clients: id, ...ban })
    .execute();
}

// Texts that every collation orders differently.
const NAMES = ['a', 'B', 'ä', '-', '_b', 'Z z', '😀', "o'hara", '10', '9', 'ß', '%_', '\\'];

/** Adds a content with its bytes, and returns its key. */
export async function addContent({ path, database }: EmbeddedData): Promise<string> {
  const row = await writeContent(path);
  await database.transaction(({ sql: writer }) =>
    writer.insertInto('contents').values(row).execute(),
  );
  return row.blob_key;
}

/** Adds an upload of a content, and returns its id. */
export function addUpload({ database }: EmbeddedData, blobKey: string): Promise<string> {
  return database.transaction(({ sql: writer }) => insertUpload(writer, blobKey));
}

/** Adds a static file, or replaces the one with this name. */
export function addStaticFile(
  { database }: EmbeddedData,
  name: string,
  blobKey: string,
): Promise<void> {
  return database.transaction(({ sql: writer }) => insertStaticFile(writer, name, blobKey));
}

/** Adds a group of messages. */
export function addGroup({ database }: EmbeddedData, number: number): Promise<void> {
  return database.transaction(({ sql: writer }) => insertGroup(writer, number));
}

type ContentRow = Awaited<ReturnType<typeof writeContent>>;

/** Writes the bytes of a content, and returns the row that records it. */
async function writeContent(path: string) {
  const key = crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16 + Math.floor(Math.random() * 3_000)));
  const folder = join(dataFolder(path).blobs, key.slice(0, 2));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, key), bytes);
  return {
    blob_key: key,
    bucket: 'attachments',
    sha256: sha256(bytes),
    size_bytes: bytes.byteLength,
    content_type: 'application/octet-stream',
    metadata: '{"type":"other"}',
    placeholder: anyOf(['', 'ab==', '2DgGDAKZdniBiXdwiFZ3f3eI1oTQ']),
  };
}

async function insertUpload(writer: Writer, blobKey: string): Promise<string> {
  // So that identifiers have different lengths.
  const length = 12 + Math.floor(Math.random() * 8);
  const id = storedId(String(crypto.getRandomValues(new BigUint64Array(1))[0]).slice(0, length));
  await writer
    .insertInto('uploads')
    .values({
      id,
      bucket: 'attachments',
      blob_key: blobKey,
      name: `${anyOf(NAMES)}.txt`,
      spoiler: Math.random() < 0.5 ? 1 : 0,
      uploaded_at_ms: 1_700_000_000_000,
      user_id: null,
      key: Math.random() < 0.5 ? null : id,
      public_uses: 0,
      hidden_uses: 0,
    })
    .execute();
  return id;
}

async function insertStaticFile(writer: Writer, name: string, blobKey: string): Promise<void> {
  const row = { blob_key: blobKey, content_type: 'text/plain', added_at_ms: 1_700_000_000_001 };
  await writer
    .insertInto('statics')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}

async function insertGroup(writer: Writer, number: number): Promise<void> {
  const digits = storedId(String(number));
  const content = `hello \u0000 ${NAMES.join(' ')} ${'x'.repeat(Math.floor(Math.random() * 5_000))}`;
  const messages = [{ id: digits, author: 'ada', content, created_at: number }, null];
  await writer
    .insertInto('message_groups')
    .values({
      first_id: digits,
      last_id: digits,
      last_number: number,
      newest_ms: 1_700_000_000_000 + number,
      messages: JSON.stringify(messages),
    })
    .execute();
}

function anyOf(texts: readonly string[]): string {
  return texts[Math.floor(Math.random() * texts.length)] ?? '';
}

/** Every row except the note of a move, in a fixed order, with numbers as numbers. */
export async function rowsOf(
  database: Database,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const reader = database.reader;
  const entries = ['settings', ...MOVED].map(async (table) => {
    const { rows } = await sql<Readonly<Record<string, unknown>>>`
      select * from ${sql.table(table)}`.execute(reader);
    const texts = rows
      .filter((row) => table !== 'settings' || row['name'] !== 'migration')
      .map((row) =>
        JSON.stringify(
          Object.entries(row)
            .map(([name, value]) => [name, String(value)])
            .toSorted(),
        ),
      )
      .toSorted();
    return [table, texts] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** The hashes of all contents in the folder of `data`, by their keys. */
export async function hashesOf({ path }: EmbeddedData): Promise<Readonly<Record<string, string>>> {
  const { blobs } = dataFolder(path);
  const entries = await readdir(blobs, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.endsWith('incoming'));
  const contents = files.map(
    async ({ name, parentPath }) => [name, sha256(await readFile(join(parentPath, name)))] as const,
  );
  return Object.fromEntries((await Promise.all(contents)).toSorted());
}

/** The hash of a content. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function setSetting(writer: Writer, name: string, value: string): Promise<void> {
  await writer
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
