import { ApiError, UnauthorizedError, type Client } from '@hearth/sdk';
import { basename } from 'node:path';
import type { Surroundings } from '../command.ts';
import { formatSize, inLine } from '../text.ts';
import { jsonLine } from './line-format.ts';
import { MESSAGE_LIMITS, reportLimit } from './limit-notices.ts';
import { StatusLine } from './status-line.ts';
import { FileError, uploadFile, type UploadFileOptions } from './upload-file.ts';
import { missingName, reasonOf, withClient, type InstanceRequest } from './with-client.ts';

/** The arguments of `hearth upload`. */
export interface UploadRequest extends InstanceRequest, Pick<UploadFileOptions, 'openFile'> {
  readonly paths: readonly string[];
  readonly isSpoiler: boolean;
  readonly asJson: boolean;
  /** True if the addresses are sent as messages. */
  readonly says: boolean;
  /** The name to write under; undefined for that of the account. */
  readonly name: string | undefined;
}

/** Uploads files and prints their addresses. Resolves with the exit code: 1 if any file could not be uploaded. */
export function upload(request: UploadRequest, surroundings: Surroundings): Promise<number> {
  return withClient(request, surroundings, async (client, account) => {
    const author = request.name ?? account?.username;
    if (request.says && author === undefined) return missingName(client, surroundings.warn);
    const sayAs = request.says ? author : undefined;
    let exitCode = 0;
    for (const path of request.paths) {
      try {
        await uploadOne(client, path, { request, sayAs, surroundings });
      } catch (error) {
        // The next file is tried, unless the instance cannot be reached, or it would be that of a guest.
        if (error instanceof UnauthorizedError) throw error;
        if (!(error instanceof FileError || error instanceof ApiError)) throw error;
        const what = error instanceof FileError ? '' : `cannot upload ${path}: `;
        surroundings.warn(`hearth: ${what}${reasonOf(error)}\n`);
        exitCode = 1;
      }
    }
    return exitCode;
  });
}

interface Upload {
  readonly request: UploadRequest;
  /** The author of the messages with the addresses; undefined if there are none. */
  readonly sayAs: string | undefined;
  readonly surroundings: Surroundings;
}

async function uploadOne(
  client: Client,
  path: string,
  { request, sayAs, surroundings }: Upload,
): Promise<void> {
  const { openFile, isSpoiler, asJson } = request;
  using status = new StatusLine(surroundings);
  const name = inLine(basename(path));
  const stopNotices = reportLimit(client, [...MESSAGE_LIMITS, 'attachments'], (when) =>
    status.show(`${name}: rate limit reached, continuing ${when}`),
  );
  const data = await uploadFile(client, path, {
    openFile,
    isSpoiler,
    onProgress: ({ sentBytes, totalBytes }) => {
      const percent = Math.floor((sentBytes / Math.max(1, totalBytes)) * 100);
      status.show(`${name}: ${percent} % of ${formatSize(totalBytes)}`);
    },
  });
  status.clear();
  const address = client.files.url(data.id, { key: data.key });
  surroundings.print(asJson ? jsonLine(data) : `${address}\n`);
  if (sayAs !== undefined) await client.send({ author: sayAs, content: address });
  stopNotices();
}
