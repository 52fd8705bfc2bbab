import { describeStorage, OWNER } from '@hearth/server';
import type { Command } from './command.ts';
import { JSON_FLAG, resultText } from './listing.ts';
import { withOwnerContext } from './owner-context.ts';
import { counted, formatSize } from './text.ts';

/** Prints what the uploads take. */
export const STORAGE_COMMAND: Command = {
  kind: 'command',
  name: 'storage',
  about: 'Print what all attachments take together',
  parameters: [],
  flags: [{ ...JSON_FLAG, about: 'Print JSON' }],
  details: () =>
    'Files of the same bytes count once. The option effis.total_size limits what all of them may take.',
  async run({ flags }, surroundings) {
    await withOwnerContext(surroundings, 'maintenance', async (ctx) => {
      const { uploads, bytes, mostBytes } = await describeStorage(ctx, OWNER);
      const fields = { uploads, bytes, total_size: mostBytes ?? null };
      const of = mostBytes === undefined ? '' : ` of ${formatSize(mostBytes)}`;
      const take = uploads === 1 ? 'takes' : 'take';
      const line = `${counted(uploads, 'attachment')} ${take} ${formatSize(bytes)}${of}`;
      surroundings.print(resultText(line, fields, flags));
    });
    return 0;
  },
};
