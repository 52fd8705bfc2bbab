import { joinUrl, NotFoundError, STATIC_BUCKET, ValidationError } from '@hearth/protocol';
import { addStatic, listStatics, OWNER, removeStatic, type StaticFile } from '@hearth/server';
import { basename } from 'node:path';
import type { Command, Group } from './command.ts';
import { openInputFile } from './input-file.ts';
import { JSON_FLAG, listingText, type Listing } from './listing.ts';
import { withOwnerContext } from './owner-context.ts';
import { blamingOwner } from './owner-error.ts';
import { formatSize, formatTime, printable } from './text.ts';

const addCommand: Command = {
  kind: 'command',
  name: 'add',
  about: 'Add a static file, replacing one of the same name',
  parameters: [{ name: 'file', about: 'File to add' }],
  flags: [
    { name: 'name', value: 'name', about: "Name to serve it under (default: the file's own)" },
  ],
  async run({ args: [path = ''], flags }, surroundings) {
    await using input = await openInputFile(path, surroundings.workingDir);
    const name = flags.get('name') ?? basename(path);
    await withOwnerContext(surroundings, 'adding', async (ctx) => {
      const { sizeBytes, contentType } = await blamingOwner(
        addStatic(ctx, OWNER, { name, sizeBytes: input.sizeBytes, content: input.content }),
        ValidationError,
        ({ message }) => `cannot add "${name}": ${message}`,
      );
      const url = joinUrl(ctx.addresses.files, STATIC_BUCKET, name);
      surroundings.print(`Added ${name} (${formatSize(sizeBytes)}, ${contentType}): ${url}\n`);
    });
    return 0;
  },
};

const removeCommand: Command = {
  kind: 'command',
  name: 'remove',
  alias: 'rm',
  about: 'Remove a static file',
  parameters: [{ name: 'name', about: 'Name of the file, as listed' }],
  flags: [],
  async run({ args: [name = ''] }, surroundings) {
    await blamingOwner(
      withOwnerContext(surroundings, 'maintenance', (ctx) => removeStatic(ctx, OWNER, name)),
      NotFoundError,
      () => `there is no static file "${name}": see hearth static list`,
    );
    surroundings.print(`Removed ${name}\n`);
    return 0;
  },
};

const LISTING: Listing<StaticFile> = {
  fields: ({ name, sizeBytes, contentType, addedAtMs }) => {
    return { name, sizeBytes, contentType, addedAtMs };
  },
  columns: [
    ['SIZE', ({ sizeBytes }) => formatSize(sizeBytes)],
    ['TYPE', ({ contentType }) => contentType],
    ['ADDED', ({ addedAtMs }) => formatTime(addedAtMs)],
    ['NAME', ({ name }) => printable(name)],
  ],
  whenEmpty: 'There are no static files. To add one: hearth static add <file>',
};

const listCommand: Command = {
  kind: 'command',
  name: 'list',
  alias: 'ls',
  about: 'List the static files',
  parameters: [],
  flags: [JSON_FLAG],
  async run({ flags }, surroundings) {
    const files = await withOwnerContext(surroundings, 'maintenance', (ctx) =>
      listStatics(ctx, OWNER),
    );
    surroundings.print(listingText(LISTING, files, flags));
    return 0;
  },
};

/** The owner's commands for static files. */
export const STATIC_COMMANDS: Group = {
  kind: 'group',
  name: 'static',
  about: 'Manage the static files',
  commands: [addCommand, removeCommand, listCommand],
};
