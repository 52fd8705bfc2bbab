import type { ReadonlySignal } from '@preact/signals';
import type { Id } from '@hearth/protocol';
import type { FileData } from '@hearth/sdk';
import type { MessageAction } from './actions/message-action.ts';
import type { Selection } from './changes/selection.ts';
import type { ConversationSource } from './conversation-source.ts';
import type { ShownMessage } from './list/timeline.ts';
import type { Naming } from './mentions.ts';
import type { MessageDetails } from './messages/entry.ts';

/** The parts that make a conversation this one. */
export interface ConversationIdentity {
  readonly source: ConversationSource;
  /** Its name for the reader. */
  readonly name: string;
  /** Separates its draft and its outbox from those of all others in this browser. It never changes. */
  readonly storageKey: string;
  /** The rights of the reader here, if they depend on the place. */
  readonly rights?: ReadonlySignal<Rights> | undefined;
  /** Up to where the reader has read, if the instance keeps that. */
  readonly readUpTo?: Id | undefined;
  /** Is set if each of its messages lists every file of the instance that its text names. */
  readonly listsNamedFiles?: boolean | undefined;
  /** The largest number of files of a message, if that is another one than in the lobby. */
  readonly mostFiles?: number | undefined;
  /** Called with each file that was uploaded for a message. */
  readonly onUploaded?: ((file: Pick<FileData, 'id'>) => void) | undefined;
  /** Called with the newest message that the reader has seen. */
  readonly onSeen?: ((id: Id) => void) | undefined;
  /** Names of people and others who can be mentioned and whose names begin like that. By default, only authors are offered. */
  readonly findNames?: ((query: string) => Promise<readonly string[]>) | undefined;
  /** Returns what its messages name; by default, what their texts say. */
  readonly naming?: ((message: MessageDetails) => Naming) | undefined;
  /** The path of a post that a message shows or has become; undefined if there are none here. */
  readonly postPath?: ((id: Id) => string) | undefined;
  /** Set if several messages can be chosen at once. */
  readonly selection?: Selection | undefined;
  /** Shows the earlier versions of a message, to those who moderate. */
  readonly showVersions?: ((message: Pick<ShownMessage, 'id'>) => void) | undefined;
  /** A hook that returns what else can be done with a message. */
  readonly useMoreActions?: (() => (message: ShownMessage) => readonly MessageAction[]) | undefined;
  /** Asks the reader before a text is sent, if that is necessary; resolves to whether it is sent. */
  readonly confirmSend?: ((text: string) => Promise<boolean> | undefined) | undefined;
  /** When the place lets the reader write again, as our Unix clock has it; now or earlier means at once. */
  readonly slowUntilMs?: ReadonlySignal<number> | undefined;
  /** The address of one of its messages, below the page's own address. */
  addressOf(id: Id): string;
}

/** The rights of a reader in a place. */
export interface Rights {
  readonly post: boolean;
  readonly react: boolean;
  readonly attach: boolean;
  /** Deletes messages of others. */
  readonly moderate: boolean;
}
