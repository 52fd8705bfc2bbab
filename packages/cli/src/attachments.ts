import { NotFoundError, parseId } from '@hearth/protocol';
import { listUploads, OWNER, removeUpload, type ListedUpload } from '@hearth/server';
import type { Command, Group } from './command.ts';
import { JSON_FLAG, listingText, resultText, type Listing } from './listing.ts';
import { withOwnerContext } from './owner-context.ts';
import { blamingOwner, OwnerError } from './owner-error.ts';
import { formatSize, formatTime, printable } from './text.ts';

export const ATTACHMENT_LISTING: Listing<ListedUpload> = {
  fields: ({ id, name, bucket, sizeBytes, contentType, spoiler, uploadedAtMs, username: user }) => {
    return { id, name, bucket, sizeBytes, contentType, spoiler, uploadedAtMs, user };
  },
  columns: [
    ['ID', ({ id }) => id],
    ['SIZE', ({ sizeBytes }) => formatSize(sizeBytes)],
    ['TYPE', ({ contentType }) => contentType],
    ['UPLOADED', ({ uploadedAtMs }) => formatTime(uploadedAtMs)],
    ['USER', ({ username }) => username ?? '-'],
    ['SPOILER', ({ spoiler }) => (spoiler ? 'yes' : 'no')],
    ['NAME', ({ name }) => printable(name)],
  ],
  whenEmpty: 'There are no attachments.',
};

const listCommand: Command = {
  kind: 'command',
  name: 'list',
  alias: 'ls',
  about: 'List the uploaded attachments, oldest first',
  parameters: [],
  flags: [JSON_FLAG],
  async run({ flags }, surroundings) {
    const uploads = await withOwnerContext(surroundings, 'maintenance', (ctx) =>
      listUploads(ctx, OWNER),
    );
    surroundings.print(listingText(ATTACHMENT_LISTING, uploads, flags));
    return 0;
  },
};

const removeCommand: Command = {
  kind: 'command',
  name: 'remove',
  alias: 'rm',
  about: 'Remove an attachment',
  parameters: [{ name: 'id', about: 'Id of the attachment, as listed' }],
  flags: [{ ...JSON_FLAG, about: 'Print the id as JSON' }],
  async run({ args: [given = ''], flags }, surroundings) {
    const id = parseId(given);
    if (id === undefined)
      throw new OwnerError(`"${given}" is not an id: see hearth attachments list`);
    await blamingOwner(
      withOwnerContext(surroundings, 'maintenance', (ctx) => removeUpload(ctx, OWNER, id)),
      NotFoundError,
      () => `there is no attachment ${id}: see hearth attachments list`,
    );
    surroundings.print(resultText(`Removed ${id}`, { id }, flags));
    return 0;
  },
};

/** The owner's commands for files that clients uploaded. */
export const ATTACHMENT_COMMANDS: Group = {
  kind: 'group',
  name: 'attachments',
  about: 'Manage the files that clients uploaded',
  commands: [listCommand, removeCommand],
};
