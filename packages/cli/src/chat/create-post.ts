import { MOST_POST_CHARACTERS } from '@hearth/protocol';
import { HearthError, parseId, type Client, type Id } from '@hearth/sdk';
import type { Surroundings } from '../command.ts';
import { inLine } from '../text.ts';
import { findPostChannel } from './find-channel.ts';
import { warnOfBusy } from './limit-notices.ts';
import { LineWriter } from './line-writer.ts';
import { jsonLine } from './post-text.ts';
import { inputText } from './send.ts';
import { FileError, uploadFile } from './upload-file.ts';
import { missingAccount, withClient, type InstanceRequest } from './with-client.ts';

/** The arguments of `hearth post create`. */
export interface CreateRequest extends InstanceRequest {
  readonly place: string;
  readonly title: string;
  /** `-` for standard input. */
  readonly text: string | undefined;
  readonly link: string | undefined;
  /** The path of a file to attach. */
  readonly file: string | undefined;
  readonly tags: readonly string[];
  readonly asJson: boolean;
  readonly openFile: (path: string) => Promise<Blob>;
}

/** A tag that the channel does not have. */
export class UnknownTagError extends HearthError {}

/** Posts to a channel, and prints the id of the post. Resolves with the exit code. */
export function createPost(
  { place, title, text, link, file, tags, asJson, openFile, ...instance }: CreateRequest,
  surroundings: Surroundings,
): Promise<number> {
  const { warn, streams } = surroundings;
  return withClient(instance, surroundings, async (client, account) => {
    if (account === undefined) return missingAccount(client, warn);
    const { channel } = await findPostChannel(client, place, account);
    const tagIds = await tagsOf(client, channel.id, tags);
    const content = text === '-' ? await inputText(MOST_POST_CHARACTERS, surroundings) : text;
    if (text === '-' && content === undefined) return 1;
    const attachment = await attached(client, file, openFile).catch((error: unknown) => {
      if (!(error instanceof FileError)) throw error;
      warn(`hearth: ${error.message}\n`);
    });
    if (file !== undefined && attachment === undefined) return 1;
    warnOfBusy(client, surroundings);
    const post = await client.posts.create(channel.id, {
      title,
      ...(content !== undefined && content !== '' && { content }),
      ...(link !== undefined && { url: link }),
      ...(tagIds.length > 0 && { tag_ids: [...tagIds] }),
      ...(attachment !== undefined && { attachments: [attachment] }),
    });
    const output = new LineWriter(streams.stdout);
    output.write(asJson ? jsonLine(post) : `${post.id}\n`);
    return output.finish(warn);
  });
}

async function attached(
  client: Client,
  path: string | undefined,
  openFile: (path: string) => Promise<Blob>,
): Promise<{ readonly id: Id } | undefined> {
  if (path === undefined) return undefined;
  const id = parseId((await uploadFile(client, path, { openFile })).id);
  if (id === undefined) throw new FileError(`cannot attach ${path}: the server gave it no id`);
  return { id };
}

async function tagsOf(
  client: Client,
  channelId: Id,
  names: readonly string[],
): Promise<readonly Id[]> {
  if (names.length === 0) return [];
  const { tags = [] } = await client.communities.channels.find(channelId);
  return names.map((name): Id => {
    const wanted = folded(name);
    const tag = tags.find((each) => [each.id, folded(each.name)].includes(wanted));
    if (tag !== undefined) return tag.id;
    const known = tags.map((each) => inLine(each.name)).join(', ') || 'none';
    throw new UnknownTagError(`the channel has no tag "${inLine(name)}"; it has: ${known}`);
  });
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
