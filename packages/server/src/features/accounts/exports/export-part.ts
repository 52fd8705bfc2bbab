import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';

/** A file of an archive. Its bytes are read when it is its turn. */
export interface ArchivedFile {
  /** Its path in the archive. */
  readonly name: string;
  readonly modifiedAtMs: number;
  readonly read: () => AsyncIterable<Uint8Array | string> | Promise<string>;
}

/** Returns what a feature has of a person, as files. */
export type ExportPart<Ctx = Context> = (ctx: Ctx, userId: Id) => Promise<readonly ArchivedFile[]>;

/** A file of an archive with the objects that `read` finds as a list, a line for each. */
export function listFile(
  { clock }: Pick<Context, 'clock'>,
  name: string,
  read: () => AsyncIterable<object>,
): ArchivedFile {
  return { name, modifiedAtMs: clock.unixMs(), read: () => linesOf(read()) };
}

async function* linesOf(objects: AsyncIterable<object>): AsyncGenerator<string> {
  let separator = '[';
  for await (const object of objects) {
    yield `${separator}\n${JSON.stringify(object)}`;
    separator = ',';
  }
  yield separator === '[' ? '[]\n' : '\n]\n';
}
