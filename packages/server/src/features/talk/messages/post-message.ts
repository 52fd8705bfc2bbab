import {
  ValidationError,
  type ChannelMessage,
  type Id,
  type NewChannelMessage,
  type UserSummary,
} from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { andThen } from '../../../lib/and-then.ts';
import type { Context } from '../../../context.ts';
import type { Emitted, EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import type { KeepsMembers } from '../../communities/structure/structure.ts';
import { mayMention, resolveMentions } from '../mentions/mentions.ts';
import {
  asChannel,
  emittedAt,
  requireGuard,
  requireWriting,
  turningIn,
  type PlaceAccess,
  type PlacesContext,
  type Turning,
} from '../places/places.ts';
import {
  givenFiles,
  placeOf,
  say,
  takeTurns,
  writing,
  type Check,
  type Draft,
  type InTurn,
  type WritingContext,
} from '../writing/writing.ts';
import { describeMessage, peopleIn, type Named } from './describe-message.ts';
import { insertFiles } from './file-store.ts';
import { findChannelMessage } from './list-messages.ts';
import { linksOfMessages, mentionedIn, type MessageLinks } from './message-links.ts';
import type { MessagesContext } from './messages-context.ts';
import { insertMessages, selectContents } from './new-message-store.ts';
import { selectMessage } from './store.ts';
import type { StoredMessage } from './stored-message.ts';

/** A message before it has its turn. */
interface MessageDraft extends Draft {
  readonly target: StoredMessage | undefined;
  readonly named: Named;
  readonly links: MessageLinks | undefined;
}

/** A message in its turn. */
type PlacedMessage = InTurn<MessageDraft> & { readonly message: StoredMessage };

/** The columns of a message that names nothing, as most do. */
const PLAIN = {
  target: undefined,
  repliedTo: undefined,
  mentions: {},
  files: [],
  links: undefined,
} as const;

/**
 * Posts a message to a channel. It resolves when the message is stored, and everyone who sees the channel is sent it. The same
 * nonce of the same person posts once in ten minutes; then this resolves with the message of the first time. Throws
 * NotFoundError if the caller may not know that the channel exists, or if the message of a repeated nonce was deleted,
 * ForbiddenError, RateLimitedError in slow mode, and ValidationError.
 */
export function postMessage(
  ctx: MessagesContext & PlacesContext & WritingContext,
  actor: Account,
  input: NewChannelMessage & { readonly channel_id: Id },
): Promise<ChannelMessage> {
  const { channel_id: channelId } = input;
  return say(ctx, actor, {
    operation: 'Posting a message',
    turning: () => turningIn(ctx, actor, { placeId: channelId, requires: requireWriting(ctx) }),
    draft: (turning) => draftOf(ctx, turning, input),
    subjects: () => [channelId],
    write: writeMessages,
    find: (id) => findChannelMessage(ctx, actor, { channel_id: channelId, id }),
  });
}

/** A message before it has a place; at once if it names nothing. */
function draftOf(
  ctx: MessagesContext & KeepsMembers,
  turning: Turning,
  input: NewChannelMessage,
): MessageDraft | Promise<MessageDraft> {
  const { content, nonce = '', reply_to: replyTo, attachments = [] } = input;
  return andThen(ctx.users.get(turning.actor.user_id), (author) => {
    const isPlain = replyTo === undefined && attachments.length === 0 && !mayMention(content);
    if (isPlain) {
      return { ...PLAIN, author, content, nonce, named: { users: new Map([[author.id, author]]) } };
    }
    return namingDraft(ctx, turning, { ...input, author });
  });
}

async function namingDraft(
  ctx: MessagesContext & KeepsMembers,
  { actor, access }: Turning,
  {
    author,
    content,
    nonce = '',
    reply_to: replyTo,
    attachments: given,
  }: NewChannelMessage & { readonly author: UserSummary },
): Promise<MessageDraft> {
  const target = replyTo && (await findTarget(ctx, access, replyTo));
  const mentions = await resolveMentions(ctx, access, content);
  const { files, known } = await givenFiles(ctx, actor, { access, given });
  const findMember = ctx.members.get.bind(ctx.members);
  const seeing = await access.of.seeing(findMember, access, target ? [target.userId] : []);
  const repliedTo = target && seeing.has(target.userId) ? target.userId : undefined;
  const links = await mentionedIn(ctx, asChannel(access), mentions);
  const draft = { author, content, nonce, target, repliedTo, mentions, files, links };
  const people = peopleIn([{ userId: author.id, mentions }, ...(target ? [target] : [])]);
  const users = people.size === 1 ? new Map([[author.id, author]]) : await ctx.users.all(people);
  const named: Named = { users, files: known };
  if (target === undefined) return { ...draft, named };
  const targets = new Map([[target.id, target]]);
  return { ...draft, named: { ...named, targets, links: await linksOfMessages(ctx, [target]) } };
}

async function findTarget(
  { database }: Pick<Context, 'database'>,
  { place }: PlaceAccess,
  id: Id,
): Promise<StoredMessage> {
  const target = await selectMessage(database.reader, place.id, id);
  if (target === undefined) throw noTarget();
  return target;
}

/** Writes messages of any places. */
const writeMessages = writing<MessageDraft, PlacedMessage, ChannelMessage>({
  nonceIn: placeOf,
  indexedAs: 'messages',
  isUnread: true,
  async place(tx, entries, now) {
    return (await takeTurns(tx, entries, now)).map(placedOf);
  },
  insert: (tx, placed) => insertMessages(tx, placed.map(guarded)),
  check: readTargets,
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

/** A message in its place. */
function placedOf(entry: InTurn<MessageDraft>): PlacedMessage {
  const { id, turning, draft, writtenAtMs: createdAtMs } = entry;
  const message: StoredMessage = {
    channelId: turning.access.place.id,
    id,
    userId: draft.author.id,
    content: draft.content,
    createdAtMs,
    editedAtMs: 0,
    replyTo: draft.target?.id ?? '',
    mentions: draft.mentions,
    files: draft.files,
    reactions: [],
    isPinned: false,
    postId: '',
    isCard: false,
    version: 1,
  };
  return { ...entry, message };
}

function guarded({ message, turning: { access } }: PlacedMessage) {
  return { message, guard: requireGuard(access) };
}

/** Refuses what replies to something that was deleted or changed: its excerpt must not be sent. */
async function readTargets(
  tx: EmittingTransaction,
  placed: readonly PlacedMessage[],
): Promise<Check<PlacedMessage> | undefined> {
  const targets = placed.flatMap(({ draft: { target } }) => target ?? []);
  if (targets.length === 0) return undefined;
  const contents = await selectContents(tx, targets);
  return {
    refusalOf({ draft: { target } }) {
      const isSame = target === undefined || contents.get(target.id) === target.content;
      return isSame ? undefined : { error: noTarget() };
    },
  };
}

/** The target of a reply is not there. */
function noTarget(): ValidationError {
  return new ValidationError('reply_to', 'must be the id of a message of the channel');
}

/** Returns what a message names, and the posts that it names itself, by the id that it has got. */
function withLinks({ id }: PlacedMessage['message'], { named, links }: MessageDraft): Named {
  if (links === undefined) return named;
  return { ...named, links: new Map([...(named.links ?? []), [id, links]]) };
}
