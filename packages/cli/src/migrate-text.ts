import type { ContentFault, MovedContents, TableReport, MoveProgress } from '@hearth/server';
import { join } from 'node:path';
import { formatSize, inLine } from './text.ts';

/** Readable names of the tables. */
const NAMES: Readonly<Record<string, string>> = {
  contents: 'files',
  uploads: 'attachments',
  statics: 'static files',
  media_variants: 'versions of pictures',
  message_groups: 'groups of messages',
  discarded_blobs: 'removed files',
  settings: 'settings',
  subjects: 'numbers of events',
  outbox: 'events',
};

function nameOf(table: string): string {
  return NAMES[table] ?? table.replaceAll('_', ' ');
}

/** Internal tables, which are not reported to an owner. */
const UNKNOWN_TO_OWNERS = ['discarded_blobs', 'subjects', 'outbox'];

/** The progress of a move, in a few words. */
export function progressText({ table, doneRows, totalRows, bytes }: MoveProgress): string {
  const name = nameOf(table);
  if (bytes === undefined) return `${name}: ${doneRows} of ${totalRows}`;
  const percent = Math.floor((bytes.done / Math.max(1, bytes.total)) * 100);
  return `${name}: ${percent} % of ${formatSize(bytes.total)} (${doneRows} of ${totalRows})`;
}

/** Reports a moved table in one line. Empty for an empty table and for an internal one. */
export function movedText(moved: TableReport, contents: MovedContents | undefined): string {
  const { table, rows, rowsBefore, rowsRemoved } = moved;
  const isEmpty = rows === 0 && rowsRemoved === 0 && contents === undefined;
  if (isEmpty || UNKNOWN_TO_OWNERS.includes(table)) return '';
  const before = contents?.copiedBefore ?? rowsBefore;
  const details = [
    ...(contents === undefined ? [] : [`${formatSize(contents.copiedBytes)} copied`]),
    ...(before === 0 ? [] : [`${before} already there`]),
    ...(rowsRemoved === 0 ? [] : [`${rowsRemoved} removed as outdated`]),
  ];
  const isRecordOnly = table === 'contents' && contents === undefined;
  const name = isRecordOnly ? 'records of files' : nameOf(table);
  return `Moved ${name}: ${rows}${details.length === 0 ? '' : ` (${details.join(', ')})`}\n`;
}

/** Explains what to do after the move. */
export function doneText({
  instanceId,
  dataDir,
  to,
  blobs,
}: {
  readonly instanceId: string;
  readonly dataDir: string;
  readonly to: string;
  readonly blobs: string | undefined;
}): string {
  const files =
    blobs === undefined
      ? `The files stay in ${join(dataDir, 'blobs')}: keep DATA_DIR as it is.`
      : 'Keep AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY as they are set now.';
  const variables = [
    `DATABASE_URL=${withoutCredentials(to)}`,
    ...(blobs === undefined ? [] : [`BLOBS_URL=${withoutCredentials(blobs)}`]),
  ];
  return `
Instance ${instanceId} has been moved. To start it there, set these variables (with the password in place of …):

${variables.map((line) => `  ${line}\n`).join('')}
${files}
The database in ${dataDir} is unchanged. Do not start an instance on it again: its new data would not be moved.
`;
}

/** Reports a file that could not be copied, with the reason, in one line. */
export function faultText({ blobKey, problem, uploads, statics }: ContentFault): string {
  const referrers = [
    ...uploads.map(({ id, name }) => `attachment ${id} (${inLine(name)})`),
    ...statics.map((name) => `static file ${inLine(name)}`),
  ];
  const what = referrers.length === 0 ? `content ${blobKey}` : referrers.join(', ');
  return `not copied: ${what}: ${problem}`;
}

/** The address without its user, its password and other secrets. */
function withoutCredentials(url: string): string {
  return url
    .replace(/^([^/?#]*\/\/)[^?#]*@/, '$1…@')
    .replaceAll(/([?&][^=&]*(?:password|secret|token)[^=&]*=)[^&]*/gi, '$1…');
}
