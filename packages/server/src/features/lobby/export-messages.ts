import type { Id } from '@hearth/protocol';
import type { InstanceContext } from '../../instance-context.ts';
import type { ExportPart } from '../exports/export-part.ts';
import { eachMessage } from './each-message.ts';

/** The messages of a person in the lobby, the newest first. */
export const exportLobby: ExportPart = async (ctx, userId) => [
  {
    name: 'lobby.json',
    modifiedAtMs: ctx.clock.unixMs(),
    read: () => messagesOf(ctx, userId),
  },
];

async function* messagesOf(ctx: InstanceContext, userId: Id): AsyncGenerator<string> {
  let separator = '[';
  for await (const message of eachMessage(ctx.history)) {
    if (message.user?.id !== userId) continue;
    yield `${separator}\n${JSON.stringify(message)}`;
    separator = ',';
  }
  yield separator === '[' ? '[]\n' : '\n]\n';
}
