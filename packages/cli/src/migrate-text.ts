import type { ContentFault, MovedContents, TableReport, MoveProgress } from '@hearth/server';
import { join } from 'node:path';
import { formatSize, inLine } from './text.ts';

/** What a table holds, for people. */
const NAMES: Readonly<Record<string, string>> = {
  contents: 'files',
  uploads: 'attachments',
  statics: 'static files',
  message_groups: 'groups of messages',
  discarded_blobs: 'removed files',
  settings: 'settings',
  subjects: 'numbers of events',
  outbox: 'events',
};

function nameOf(table: string): string {
  return NAMES[table] ?? table.replaceAll('_', ' ');
}

/** Tables whose rows mean nothing to an owner. */
const UNKNOWN_TO_OWNERS = ['discarded_blobs', 'subjects', 'outbox'];

/** How far a move is, in a few words. */
export function progressText({ table, doneRows, totalRows, bytes }: MoveProgress): string {
  const name = nameOf(table);
  if (bytes === undefined) return `${name}: ${doneRows} of ${totalRows}`;
  const percent = Math.floor((bytes.done / Math.max(1, bytes.total)) * 100);
  return `${name}: ${percent} % of ${formatSize(bytes.total)} (${doneRows} of ${totalRows})`;
}

/** What was moved of a table, in one line; nothing for an empty table or one that means nothing to an owner. */
export function movedText(moved: TableReport, contents: MovedContents | undefined): string {
  const { table, rows, rowsBefore, rowsRemoved } = moved;
  const isEmpty = rows === 0 && rowsRemoved === 0 && contents === undefined;
  if (isEmpty || UNKNOWN_TO_OWNERS.includes(table)) return '';
  const before = contents?.copiedBefore ?? rowsBefore;
  const details = [
    ...(contents === undefined ? [] : [`${formatSize(contents.copiedBytes)} copied`]),
    ...(before === 0 ? [] : [`${before} there already`]),
    ...(rowsRemoved === 0 ? [] : [`${rowsRemoved} removed that are gone or have changed`]),
  ];
  const isRecordOnly = table === 'contents' && contents === undefined;
  const name = isRecordOnly ? 'records of files' : nameOf(table);
  return `Moved ${name}: ${rows}${details.length === 0 ? '' : ` (${details.join(', ')})`}\n`;
}

/** What is to be done now that all is moved. */
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
      : 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are the ones that were set for this.';
  const variables = [
    `DATABASE_URL=${withoutCredentials(to)}`,
    ...(blobs === undefined ? [] : [`BLOBS_URL=${withoutCredentials(blobs)}`]),
  ];
  return `
Instance ${instanceId} is moved. To start it there, set (with the password where there is …):

${variables.map((line) => `  ${line}\n`).join('')}
${files}
The database in ${dataDir} is as it was. Start no instance on it any more: what it takes from now on is not moved.
`;
}

/** What could not be copied and why, in one line. */
export function faultText({ blobKey, problem, uploads, statics }: ContentFault): string {
  const referrers = [
    ...uploads.map(({ id, name }) => `attachment ${id} (${inLine(name)})`),
    ...statics.map((name) => `static file ${inLine(name)}`),
  ];
  const what = referrers.length === 0 ? `content ${blobKey}` : referrers.join(', ');
  return `not copied: ${what}: ${problem}`;
}

/** An address that may be shown: without user, password and whatever else may be a secret. */
function withoutCredentials(url: string): string {
  return url
    .replace(/^([^/?#]*\/\/)[^?#]*@/, '$1…@')
    .replaceAll(/([?&][^=&]*(?:password|secret|token)[^=&]*=)[^&]*/gi, '$1…');
}
