import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';

/** A file of an archive. Its bytes are read when it is its turn. */
export interface ArchivedFile {
  /** Its path in the archive. */
  readonly name: string;
  readonly modifiedAtMs: number;
  readonly read: () => AsyncIterable<Uint8Array | string> | Promise<string>;
}

/** What a feature has of a person, as files. */
export type ExportPart<Ctx = Context> = (ctx: Ctx, userId: Id) => Promise<readonly ArchivedFile[]>;
