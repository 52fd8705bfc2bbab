import { ApiError, type Client } from '@hearth/sdk';
import { basename } from 'node:path';
import type { Surroundings } from '../command.ts';
import { formatSize, inLine } from '../text.ts';
import { jsonLine } from './line-format.ts';
import { tellLimit } from './limit-notices.ts';
import { StatusLine } from './status-line.ts';
import { FileError, uploadFile, type UploadFileOptions } from './upload-file.ts';
import { reasonOf, withClient } from './with-client.ts';

/** What `hearth upload` is asked for. */
export interface UploadRequest extends Pick<UploadFileOptions, 'openFile'> {
  readonly url: string;
  readonly paths: readonly string[];
  readonly isSpoiler: boolean;
  readonly asJson: boolean;
  /** Who sends the addresses as messages; nobody where it is absent. */
  readonly sayAs: string | undefined;
}

/** Uploads files and prints their addresses. Resolves with the exit code: 1 where one of them could not be uploaded. */
export function upload(request: UploadRequest, surroundings: Surroundings): Promise<number> {
  return withClient(request.url, surroundings, async (client) => {
    let exitCode = 0;
    for (const path of request.paths) {
      try {
        await uploadOne(client, path, { request, surroundings });
      } catch (error) {
        // Other files may fare better, unless there is no instance.
        if (!(error instanceof FileError || error instanceof ApiError)) throw error;
        const what = error instanceof FileError ? '' : `cannot upload ${path}: `;
        surroundings.warn(`hearth: ${what}${reasonOf(error)}\n`);
        exitCode = 1;
      }
    }
    return exitCode;
  });
}

async function uploadOne(
  client: Client,
  path: string,
  { request, surroundings }: { request: UploadRequest; surroundings: Surroundings },
): Promise<void> {
  const { openFile, isSpoiler, asJson, sayAs } = request;
  using status = new StatusLine(surroundings);
  const name = inLine(basename(path));
  const stopTelling = tellLimit(client, ['attachments', 'message_create'], (when) =>
    status.show(`${name}: the instance takes more ${when}`),
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
  const address = client.files.url(data.id);
  surroundings.print(asJson ? jsonLine(data) : `${address}\n`);
  if (sayAs !== undefined) await client.send({ author: sayAs, content: address });
  stopTelling();
}
