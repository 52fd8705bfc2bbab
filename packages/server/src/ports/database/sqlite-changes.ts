import type { SqliteFile } from '../../runtime/sqlite.ts';
import type { ChangeListeners } from './change-listeners.ts';
import type { Change } from './database.ts';

/** The number of changes that are kept for other processes. If a process has missed some, anything may have changed. */
const KEPT_CHANGES = 1_000;

const NOTE = `insert into changes (number, kind, subject)
  select coalesce(max(number), 0) + 1, $1, $2 from changes`;

const FORGET = `delete from changes where number <= (select max(number) from changes) - ${KEPT_CHANGES}`;

/** Stores changes in the transaction that makes them, for other processes that have the file open. */
export function noteChanges(file: SqliteFile, changes: readonly Change[]): void {
  if (changes.length === 0) return;
  for (const { kind, id } of changes) file.change(NOTE, [kind, id]);
  file.change(FORGET, []);
}

/** Finds the changes of every process. */
export class SqliteChanges {
  readonly #file: SqliteFile;
  readonly #listeners: ChangeListeners;
  readonly #commits: () => number;
  #lastCommits: number;
  #lastNumber: number;

  /** `file` is a connection that does not write. */
  constructor(file: SqliteFile, listeners: ChangeListeners) {
    [this.#file, this.#listeners] = [file, listeners];
    // Differs after each commit of another connection, and only reads shared memory.
    this.#commits = file.prepareNumber('pragma data_version');
    this.#lastCommits = this.#commits();
    this.#lastNumber = file.prepareNumber('select coalesce(max(number), 0) from changes')();
  }

  /** Calls listeners with all changes that were committed since the last call. Returns false if they cannot be read. */
  hear(): boolean {
    try {
      this.#hear();
      return true;
    } catch {
      this.#listeners.notify('unknown');
      return false;
    }
  }

  #hear(): void {
    const commits = this.#commits();
    if (commits === this.#lastCommits) return;
    // Guarantee: these are the columns, and only `noteChanges` writes them.
    const rows = this.#file
      .prepare('select number, kind, subject as id from changes where number > $1 order by number')
      .all([this.#lastNumber]) as (Change & { readonly number: number })[];
    this.#lastCommits = commits;
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined) return;
    const isWhole = first.number === this.#lastNumber + 1;
    this.#lastNumber = last.number;
    this.#listeners.notify(isWhole ? rows.map(({ kind, id }) => ({ kind, id })) : 'unknown');
  }
}
