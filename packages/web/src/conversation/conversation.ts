import { computed, effect, type ReadonlySignal, type Signal } from '@preact/signals';
import { FILE_KEY_CHARACTERS, type UserSummary } from '@hearth/protocol';
import type { Client, FileData, Id, LobbyMessage, SdkClock } from '@hearth/sdk';
import type { Connection } from '../connection/connection.ts';
import { CleanUp } from '../lib/clean-up.ts';
import type { LazyViews } from '../lib/views.ts';
import type { Storages } from '../lib/storage.ts';
import type { Attachments } from './attachments/attachments.ts';
import { KeptPictures } from './attachments/kept-pictures.ts';
import { MOST_FILES } from './attachments/split-attachments.ts';
import { readSmallPicture } from './attachments/read-small-picture.ts';
import type { ConversationIdentity } from './conversation-identity.ts';
import { contentLength } from './composer/content.ts';
import { OwnChanges } from './changes/own-changes.ts';
import type { HistoryOptions } from './messages/history-page.ts';
import { KeptMessages, type KeptMessagesOptions } from './messages/kept-messages.ts';
import type { KeptStorage } from '../lib/kept-storage.ts';
import { Draft } from '../writing/draft.ts';
import { Uploads, type UploadsOptions } from '../writing/uploads.ts';
import { MessageStore } from './messages/message-store.ts';
import type { OwnMessages } from './messages/own-messages.ts';
import { OutboxStore } from '../writing/outbox/outbox-store.ts';
import type { OutboxOptions } from '../writing/outbox/outbox-options.ts';
import { Outbox } from '../writing/outbox/outbox.ts';
import type { OwnNonces } from '../writing/outbox/own-nonces.ts';
import { ReadingPlace } from './reading/place.ts';
import { ReadMark } from './reading/read-mark.ts';
import { settleByHistory } from './messages/settle-by-history.ts';
import { KeptReply, type KeptReplyOptions } from './kept-reply.ts';
import { messageUrl } from './message-url.ts';
import { putBack, type ReplyTarget } from './reply-target.ts';
import { Refusals } from './refusals.ts';
import { deliverTo } from './uploads/deliver.ts';

export type { ConversationIdentity, Rights } from './conversation-identity.ts';

/** The parts that all conversations of an instance share. */
export interface ConversationParts {
  readonly client: Client;
  readonly connection: Connection;
  readonly attachments: Attachments;
  /** The author of new messages. */
  readonly author: ReadonlySignal<string>;
  /** The account that writes them; undefined for a visitor. It never changes. */
  readonly owner?: Id | undefined;
  readonly ownNonces: OwnNonces;
  readonly ownMessages: OwnMessages;
  readonly storages: Storages;
  readonly clock: SdkClock;
  readonly views: LazyViews;
  /** The storage in which the newest messages are kept for the next visit. */
  readonly keptStorage?: KeptStorage | undefined;
}

/** People who write to each other in one place: what was said, and what the reader is about to say. */
export interface Conversation extends Disposable, ConversationIdentity {
  readonly clock: SdkClock;
  /** The account that writes here; undefined for a visitor. */
  readonly owner: Id | undefined;
  readonly messages: MessageStore;
  /** The reader's changes of messages. */
  readonly changes: OwnChanges;
  /** The messages to show, with those of the last visit until the history has arrived. */
  readonly kept: KeptMessages;
  /** The account that has written a message which somebody replies to, as far as the messages to show say it. */
  readonly writerOf: (target: Target) => UserSummary | undefined;
  readonly draft: Draft;
  /** The message that the draft replies to. */
  readonly reply: Signal<ReplyTarget | undefined>;
  readonly outbox: Outbox;
  readonly uploads: Uploads;
  /** Why nothing can be posted. */
  readonly refusals: Refusals;
  /** The place of the reader among the messages. */
  readonly place: ReadingPlace;
  /** Up to where the reader has read. */
  readonly readMark: ReadMark;
  /**
   * The number of characters that are left for the text that is being written; a negative number is how many are too
   * many.
   */
  readonly charactersLeft: ReadonlySignal<number>;
  /** Shows a message. */
  seek(id: Id): void;
  /** Loads the messages and listens from now on. Once. */
  start(): void;
  /** Stores what would be lost if the page went now. */
  flush(): void;
  /** The page is being left: the next page in its tab takes over what is on its way. */
  leave(): void;
  /** The page is back as it was left. */
  comeBack(): void;
}

/** A message by its address, and whom its quote names. */
type Target = Pick<ReplyTarget, 'id' | 'author'>;

type Written = Pick<Conversation, 'draft' | 'uploads'>;

/** Creates the state of a conversation for the page's lifetime. */
export function createConversation(
  identity: ConversationIdentity,
  parts: ConversationParts,
): Conversation {
  const cleanUp = new CleanUp();
  const lasting = <Part extends Disposable>(part: Part): Part => {
    cleanUp.defer(() => part[Symbol.dispose]());
    return part;
  };
  const { source, storageKey } = identity;
  const { attachments, ownNonces, storages, clock } = parts;
  const store = lasting(new OutboxStore(storages, outboxKey(storageKey, parts), clock));
  const refusals = lasting(new Refusals(clock));
  cleanUp.defer(learnRefusals(refusals, parts));
  const outbox = lasting(new Outbox({ ...outboxOptions(identity, parts, store), refusals }));
  const draft = lasting(new Draft(storages, storageKey, clock));
  const { target: reply } = lasting(new KeptReply(replyOptions(identity, parts)));
  const written = { ...identity, draft, reply };
  const uploads = lasting(new Uploads(uploadsOptions(parts, written, outbox)));
  const changes = new OwnChanges();
  const onFiles = (files: LobbyMessage['attachments']) => learnFiles([attachments, kept], files);
  const history = { ...historyOptions(identity, parts), ownChanges: changes, onFiles };
  const messages = lasting(
    new MessageStore(source, { ...history, isOwnNonce: (nonce) => ownNonces.has(nonce) }),
  );
  messages.onMessage((message) => outbox.settle(message));
  const kept = lasting(new KeptMessages(keptOptions(identity, parts, messages)));
  cleanUp.defer(settleByHistory(messages, outbox));
  cleanUp.defer(linkUploads(draft, uploads));
  const place = lasting(new ReadingPlace(messages, source, history));
  const readMark = lasting(new ReadMark(messages, storages, { ...identity, clock }));
  const flush = () => [draft, readMark, kept].forEach((part) => part.flush());
  return {
    ...identity,
    clock,
    owner: parts.owner,
    changes,
    place,
    readMark,
    seek: (id) => void place.seek(id),
    messages,
    kept,
    writerOf: writersOf(kept),
    draft,
    reply,
    outbox,
    uploads,
    refusals,
    charactersLeft: computed(() => charactersLeft(parts, { draft, uploads })),
    start: () => messages.start(),
    flush,
    leave() {
      flush();
      store.leave();
    },
    comeBack: () => store.comeBack(),
    [Symbol.dispose]: () => cleanUp.dispose(),
  };
}

/** A message that is not there counts as one of the account with its author's name. */
function writersOf({ entries }: Pick<KeptMessages, 'entries'>): Conversation['writerOf'] {
  const known = computed(() => {
    const messages = entries.value.filter((entry) => entry.kind === 'message');
    const users = messages.flatMap(({ user }) => user ?? []);
    return {
      byId: new Map(messages.map(({ id, user }) => [id, user])),
      byName: new Map(users.map((user) => [user.username, user])),
    };
  });
  return ({ id, author }) => {
    const { byId, byName } = known.value;
    if (id === undefined) return undefined;
    return byId.has(id) ? byId.get(id) : byName.get(author);
  };
}

/** The gateway reports what is paused while it is connected, and why it closes the connection. */
function learnRefusals(
  refusals: Refusals,
  { client, connection }: Pick<ConversationParts, 'client' | 'connection'>,
): () => void {
  const offs = [
    client.on('pauses', ({ pauses }) => {
      if (pauses !== undefined) refusals.announce('paused', pauses.posting);
    }),
    effect(() => {
      const { value } = connection.state;
      if (value.state === 'closed' && value.ban) refusals.announce('banned', value.ban);
    }),
  ];
  return () => {
    for (const off of offs) off();
  };
}

/**
 * Returns the key of the outbox: messages of an account on their way must not be posted by another one, nor by a
 * visitor.
 */
function outboxKey(storageKey: string, { owner }: ConversationParts): string {
  const isOwn = owner === undefined || storageKey.endsWith(` ${owner}`);
  return isOwn ? storageKey : `${storageKey} ${owner}`;
}

function historyOptions(
  { listsNamedFiles }: ConversationIdentity,
  { ownMessages, owner, attachments }: ConversationParts,
): HistoryOptions {
  const own = { ownMessages, ownId: owner };
  if (listsNamedFiles !== true) return own;
  return { ...own, onListing: (message) => attachments.learnMissing(message) };
}

function outboxOptions(
  { source, slowUntilMs }: ConversationIdentity,
  { author, connection, ownNonces, clock }: ConversationParts,
  store: OutboxStore,
): OutboxOptions {
  const { state, isReachable } = connection;
  const of = { author, connection: state, isReachable, store, ownNonces, clock };
  return { ...of, client: source, slowUntilMs };
}

function keptOptions(
  identity: ConversationIdentity,
  parts: ConversationParts,
  messages: MessageStore,
): KeptMessagesOptions {
  const { source, storageKey: key } = identity;
  const { owner, attachments, keptStorage: storage, clock } = parts;
  const onFiles = (files: readonly FileData[]) => attachments.learn(files);
  const pictures = keptPictures(identity, parts);
  return { messages, source, storage, key, owner, clock, onFiles, pictures };
}

function keptPictures(
  { storageKey }: ConversationIdentity,
  { attachments, keptStorage: storage, clock }: ConversationParts,
): KeptPictures | undefined {
  if (storage === undefined) return undefined;
  const onPicture = (id: string, picture: Blob) => attachments.showKept(id, picture);
  const { media } = attachments;
  return new KeptPictures({
    storage,
    key: storageKey,
    clock,
    media,
    read: readSmallPicture,
    onPicture,
  });
}

function replyOptions(
  identity: ConversationIdentity,
  { connection, storages }: ConversationParts,
): KeptReplyOptions {
  const { source, storageKey } = identity;
  return { source, urlOf: (id) => messageUrl(identity, id), connection, storages, storageKey };
}

function learnFiles(
  parts: readonly Pick<Attachments, 'learn'>[],
  files: readonly FileData[] | undefined,
): void {
  for (const part of parts) part.learn(files);
}

function uploadsOptions(
  { client, connection, attachments, clock }: ConversationParts,
  written: Pick<Conversation, 'addressOf' | 'draft' | 'reply' | 'mostFiles' | 'onUploaded'>,
  outbox: Outbox,
): UploadsOptions {
  return {
    client,
    isReachable: connection.isReachable,
    clock,
    deliver: deliverTo(outbox, client),
    putBack: (content) => putBack(written, content),
    mostFiles: written.mostFiles ?? MOST_FILES,
    remember(data, content) {
      attachments.remember(data, content);
      written.onUploaded?.(data);
    },
  };
}

/** Returns the number of characters that are left; a negative number is how many are too many. */
function charactersLeft(
  { client: { files, info }, owner }: Pick<ConversationParts, 'client' | 'owner'>,
  { draft, uploads }: Written,
): number {
  // The files of an account have keys.
  const key = owner === undefined ? undefined : '0'.repeat(FILE_KEY_CHARACTERS);
  const urlOf = (id: string) => files.url(id, { key });
  return info.message_limit - contentLength(draft.text.value, uploads.picked.value.length, urlOf);
}

/** Keeps the texts of uploads, and returns to the draft when files are added or removed; returns a function that stops it. */
function linkUploads(draft: Draft, uploads: Uploads): () => void {
  // A reloaded page has no files, but it still has the texts that were waiting for them.
  draft.setAside(computed(() => uploads.sending.value.map(({ text }) => text)));
  // The button that added or removed a file should not keep the focus, or is gone.
  const count = computed(() => uploads.picked.value.length);
  return count.subscribe(() => draft.resume());
}
