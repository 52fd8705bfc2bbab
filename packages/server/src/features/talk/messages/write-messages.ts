import { ValidationError, type ChannelMessage } from '@hearth/protocol';
import { andThen } from '../../../lib/and-then.ts';
import type { Emitted, EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { emittedAt, requireGuard } from '../places/places.ts';
import { placeOf, takeTurns, writing, type Check, type Checks } from '../writing/writing.ts';
import { describeMessage, type Named } from './describe-message.ts';
import { insertFiles } from './file-store.ts';
import { placedOf, type MessageDraft, type PlacedMessage } from './message-draft.ts';
import { insertMessages, selectContents } from './new-message-store.ts';
import { readPaces } from './slow-down.ts';
import type { StoredMessage } from './stored-message.ts';

/** Writes messages of any places. */
export const writeMessages = writing<MessageDraft, PlacedMessage, ChannelMessage>({
  nonceIn: placeOf,
  isIndexed: false,
  isUnread: true,
  async place(tx, entries, now) {
    return (await takeTurns(tx, entries, now)).map(placedOf);
  },
  insert: (tx, placed) => insertMessages(tx, placed.map(guarded)),
  checks(tx, placed, { nowMs }) {
    return andThen(readPaces(tx, placed, nowMs), (paces) =>
      andThen(readTargets(tx, placed), (targets) => [...paces, ...targets]),
    );
  },
  async send(tx, placed) {
    await insertFiles(
      tx,
      placed.map(({ message }) => message),
    );
    const emitted: Emitted[] = [];
    const messages: ChannelMessage[] = [];
    for (const { message: stored, number, draft, turning } of placed) {
      const message = describeMessage(stored, withLinks(stored, draft));
      const d = draft.nonce === '' ? message : { ...message, nonce: draft.nonce };
      const { place } = turning.access;
      emitted.push(emittedAt({ place, number }, { op: 'MESSAGE_CREATE', d }));
      messages.push(message);
    }
    await tx.emitAll(emitted);
    return messages;
  },
});

function guarded({ message, turning: { access } }: PlacedMessage) {
  return { message, guard: requireGuard(access) };
}

/** Refuses what replies to something that was deleted or changed: its excerpt must not be sent. */
function readTargets(
  tx: EmittingTransaction,
  placed: readonly PlacedMessage[],
): Checks<PlacedMessage> {
  const targets = placed.flatMap(({ draft: { target } }) => target ?? []);
  return targets.length === 0 ? [] : readContents(tx, targets);
}

async function readContents(
  tx: EmittingTransaction,
  targets: readonly StoredMessage[],
): Promise<readonly Check<PlacedMessage>[]> {
  const contents = await selectContents(tx, targets);
  const refusalOf = ({ draft: { target } }: PlacedMessage) => {
    const isSame = target === undefined || contents.get(target.id) === target.content;
    return isSame ? undefined : { error: noTarget() };
  };
  return [{ refusalOf }];
}

/** The target of a reply is not there. */
export function noTarget(): ValidationError {
  return new ValidationError('reply_to', 'must be the id of a message of the channel');
}

/** What a message names, and the posts that it names itself, by the id that it has got. */
function withLinks({ id }: PlacedMessage['message'], { named, links }: MessageDraft): Named {
  if (links === undefined) return named;
  return { ...named, links: new Map([...(named.links ?? []), [id, links]]) };
}
