import type { BlobKey, Blobs } from '../../../ports/blobs/blobs.ts';
import type { Database, Reader } from '../../../ports/database/database.ts';
import type { TableList } from '../../../ports/database/table-data.ts';

export interface MoveEnds {
  /** Nobody can write to it until the move ends. */
  readonly source: { readonly reader: Reader; readonly blobs: Blobs };
  /** Without blobs the contents stay where they are. */
  readonly target: { readonly database: Database; readonly blobs: Blobs | undefined };
}

export interface MoveWatch {
  readonly tables: TableList;
  /** Ends the move between two steps of it, or within a content; it then rejects with the reason. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: MoveProgress) => void;
  /**
   * Called when a whole table is moved; for the table of contents with the result of copying them, if they are copied.
   */
  readonly onMoved: (table: TableReport, contents: MovedContents | undefined) => void;
}

/** The progress of the move of a table. */
export interface MoveProgress {
  readonly table: string;
  readonly doneRows: number;
  readonly totalRows: number;
  /** The contents' own bytes; undefined if none are copied. */
  readonly bytes: { readonly done: number; readonly total: number } | undefined;
}

export interface TableReport {
  readonly table: string;
  readonly rows: number;
  /** The number of rows that an earlier attempt had already moved. */
  readonly rowsBefore: number;
  /** Rows that an earlier attempt had moved and that have been removed or changed since. */
  readonly rowsRemoved: number;
}

/** A content that could not be copied, because it is missing or changed. */
export interface ContentFault {
  readonly blobKey: BlobKey;
  readonly problem: string;
  readonly uploads: readonly { readonly id: string; readonly name: string }[];
  readonly statics: readonly string[];
}

/** The contents that are moved. */
export interface MovedContents {
  readonly copied: number;
  readonly copiedBytes: number;
  /** Copied by an earlier attempt. */
  readonly copiedBefore: number;
  readonly faults: readonly ContentFault[];
}

export interface MoveReport {
  readonly instanceId: string;
  readonly tables: readonly TableReport[];
  /** Undefined if the contents stay where they are. */
  readonly contents: MovedContents | undefined;
}

/** A move under way: what the source holds does not change until it ends. */
export interface Move extends MoveWatch {
  readonly source: MoveEnds['source'];
  readonly target: MoveEnds['target'];
  /** True if nothing was there before, so that there is nothing to compare with. */
  readonly isFresh: boolean;
}
