import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import { MOST_DELETED_MESSAGES, type Id } from '@hearth/protocol';
import type { ChannelClient, Client, MyChannel, SdkClock } from '@hearth/sdk';
import { Selection } from '../conversation/changes/selection.ts';
import type { Conversation, ConversationIdentity } from '../conversation/conversation.ts';
import type { ConversationEntry } from '../conversation/messages/entry.ts';
import { mentionOfRole, namesOneOf, namingOf } from './channel-naming.ts';

/** Up to so many people are mentioned without a question. */
export const MOST_UNASKED = 50;

/** The time that the reader waits for the number of people; then the text is sent without a question. */
const MOST_REACH_MS = 4_000;

/** The tool that is open over a channel, or the question that the reader is asked. */
export type ShownTool =
  | { readonly kind: 'pins' }
  | { readonly kind: 'versions'; readonly id: Id }
  | { readonly kind: 'post'; readonly id: Id; readonly content: string }
  | { readonly kind: 'removeMany'; readonly ids: readonly Id[] }
  | {
      readonly kind: 'reach';
      readonly people: number;
      readonly decide: (isSent: boolean) => void;
    };

export interface ToolsOptions {
  readonly client: Client;
  readonly channel: ChannelClient;
  /** Undefined for those who are not members. */
  readonly own: ReadonlySignal<MyChannel | undefined>;
  /** The reader. */
  readonly owner: Id | undefined;
  readonly clock: SdkClock;
}

/** The tools of a channel besides what every conversation has: pins, earlier versions, deleting many. */
export class ChannelTools {
  readonly channel: ChannelClient;
  readonly own: ReadonlySignal<MyChannel | undefined>;
  readonly selection = new Selection(MOST_DELETED_MESSAGES);
  readonly shown = signal<ShownTool | undefined>(undefined);
  readonly #options: ToolsOptions;
  readonly #slowUntilMs = signal(0);

  constructor(options: ToolsOptions) {
    this.#options = options;
    this.channel = options.channel;
    this.own = options.own;
  }

  /** The part of them that a conversation needs. */
  get identity() {
    return {
      naming: ({ named }) =>
        namingOf(named, { owner: this.#options.owner, community: this.#community }),
      selection: this.selection,
      showVersions: ({ id }) => {
        if (id !== undefined) this.shown.value = { kind: 'versions', id };
      },
      confirmSend: (text) => this.confirmSend(text),
      slowUntilMs: this.#slowUntilMs,
    } satisfies Partial<ConversationIdentity>;
  }

  /** Follows the conversation that they are for, until the returned function is called. */
  follow({ changes, messages }: Pick<Conversation, 'changes' | 'messages'>): () => void {
    const { client, channel, own, clock } = this.#options;
    const offs = [
      channel.on('pin', ({ id, isPinned }) => changes.show({ kind: 'pin', id, isPinned })),
      channel.on('messageDelete', ({ id }) => this.selection.drop(id)),
      effect(() => {
        const untilMs = slowUntil(own.value, messages.entries.value);
        // The clock of the instance may be another one.
        const mostMs = clock.now() + slowMs(own.value);
        this.#slowUntilMs.value = Math.min(untilMs, mostMs);
      }),
    ];
    const isListed = computed(() => own.value !== undefined);
    let isAsked = false;
    offs.push(
      effect(() => {
        if (!isListed.value || isAsked || own.peek()?.details !== undefined) return;
        isAsked = true;
        // Without its topic and its slow mode, everything else is there.
        client.communities.channels.find(channel.id).catch(() => {});
      }),
    );
    return () => {
      for (const off of offs) off();
    };
  }

  /** Closes what is open over the channel, which the reader leaves: a text that they were asked about is not sent. */
  leave(): void {
    const shown = this.shown.peek();
    if (shown?.kind === 'reach') shown.decide(false);
    this.shown.value = undefined;
  }

  /** Asks before a text is sent that mentions many; undefined if it mentions no role and not everyone. */
  confirmSend(text: string): Promise<boolean> | undefined {
    const mayMentionAll = this.own.peek()?.permissions.has('MENTION_ALL') === true;
    const community = this.#community;
    const roles = (community?.roles ?? []).filter(
      ({ id, mentionable }) => id !== community?.id && (mayMentionAll || mentionable === true),
    );
    const words = [
      ...(mayMentionAll ? ['@all'] : []),
      ...roles.map(({ name }) => mentionOfRole(name)),
    ];
    return namesOneOf(text, words) ? this.#confirm(text) : undefined;
  }

  /** True if the reader may post in a channel of the community, so that messages can become posts. */
  get canMakePosts(): boolean {
    const channels = this.#community?.channels ?? [];
    return channels.some(
      ({ kind, permissions }) => kind === 'posts' && permissions.has('CREATE_POSTS'),
    );
  }

  async #confirm(text: string): Promise<boolean> {
    const signal = AbortSignal.timeout(MOST_REACH_MS);
    // A count that cannot be had holds nobody back.
    const people = await this.channel.reach(text, { signal }).catch(() => 0);
    if (people <= MOST_UNASKED) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const decide = (isSent: boolean) => {
      this.shown.value = undefined;
      resolve(isSent);
    };
    this.shown.value = { kind: 'reach', people, decide };
    return promise;
  }

  get #community() {
    const id = this.own.value?.community_id;
    return id === undefined ? undefined : this.#options.client.communities.get(id);
  }
}

/** When slow mode lets the reader write again. */
export function slowUntil(
  channel: MyChannel | undefined,
  entries: readonly ConversationEntry[],
): number {
  const waitMs = slowMs(channel);
  if (waitMs === 0) return 0;
  const last = entries.findLast((entry) => entry.kind === 'message' && entry.isOwn);
  return last?.kind === 'message' ? last.createdAtMs + waitMs : 0;
}

/** Returns how long the reader has to wait between two messages. */
function slowMs(channel: MyChannel | undefined): number {
  const { permissions, details } = channel ?? {};
  const isFree = permissions?.has('BYPASS_SLOW_MODE') || permissions?.has('MANAGE_CONTENT');
  return isFree === true ? 0 : (details?.slow_mode_seconds ?? 0) * 1_000;
}

const TOOLS = new WeakMap<Conversation, ChannelTools>();

/** The tools of a conversation in a channel. */
export function toolsOf(conversation: Conversation): ChannelTools | undefined {
  return TOOLS.get(conversation);
}

/** Remembers whose tools they are. */
export function giveTools(conversation: Conversation, tools: ChannelTools): Conversation {
  TOOLS.set(conversation, tools);
  return conversation;
}
