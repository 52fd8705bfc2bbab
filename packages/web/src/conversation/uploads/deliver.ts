import { countCodePoints, type Client, type FileData } from '@hearth/sdk';
import { contentOf } from '../composer/content.ts';
import type { Outbox } from '../../writing/outbox/outbox.ts';

/** With the addresses of its files, a message is longer than it may be. */
export class MessageTooLongError extends Error {
  readonly length: number;
  readonly limit: number;

  constructor(length: number, limit: number) {
    super(`With its files, the message has ${length} characters; ${limit} are allowed`);
    this.name = new.target.name;
    this.length = length;
    this.limit = limit;
  }
}

/** The outbox accepts no more messages. */
export class TooManyMessagesError extends Error {
  constructor() {
    super('Too many messages are already waiting');
    this.name = new.target.name;
  }
}

/** Sends messages whose files are uploaded: a text, and the address of each file. Throws if one cannot be accepted now. */
export function deliverTo(
  outbox: Pick<Outbox, 'send'>,
  { files, info }: Pick<Client, 'files' | 'info'>,
): (text: string, uploaded: readonly FileData[]) => void {
  return (text, uploaded) => {
    const content = contentOf(
      text,
      uploaded.map(({ id, key }) => files.url(id, { key })),
    );
    const length = countCodePoints(content);
    if (length > info.message_limit) throw new MessageTooLongError(length, info.message_limit);
    if (!outbox.send(content)) throw new TooManyMessagesError();
  };
}
