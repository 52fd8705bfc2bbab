import { signal, type ReadonlySignal } from '@preact/signals';
import type { ChannelStub, Community, Id } from '@hearth/protocol';
import type { MyCommunity } from '@hearth/sdk';
import type { Conversation, ConversationParts } from '../conversation/conversation.ts';
import { CleanUp } from '../lib/clean-up.ts';
import { createChannel, lastingChannel } from './create-channel.ts';
import { MemberList } from './member-list.ts';
import { OpenChannels } from './open-channels.ts';
import { People } from './people.ts';
import { Typing } from './typing.ts';

/** The time for which a channel is still watched after its view has gone: another one often takes its place. */
const WATCHED_MS = 1_000;

/** The shown channels, for the page's lifetime. */
export class Channels implements Disposable {
  readonly typing: Typing;
  readonly people: People;
  readonly #parts: ConversationParts;
  readonly #own: ReadonlySignal<readonly MyCommunity[] | undefined>;
  readonly #open: OpenChannels;
  readonly #cleanUp = new CleanUp();
  readonly #closed = signal(0);
  readonly #ended = new AbortController();
  readonly #slugs = new Map<Id, string>();
  readonly #names = new Map<Id, string>();
  #members: MemberList | undefined;
  #stopTimer: (() => void) | undefined;

  /** The client has to follow communities already. */
  constructor(parts: ConversationParts, own: ReadonlySignal<readonly MyCommunity[] | undefined>) {
    const { client, clock, owner } = parts;
    this.#parts = parts;
    this.#own = own;
    this.typing = new Typing(client, clock, owner);
    this.people = new People(client);
    this.#open = new OpenChannels((id) => this.#create(id));
    for (const part of [this.typing, this.people, this.#open]) {
      this.#cleanUp.defer(() => part[Symbol.dispose]());
    }
  }

  /**
   * The number of conversations that were closed because the reader does not see their channels any more, or not as a
   * member.
   */
  get closed(): ReadonlySignal<number> {
    return this.#closed;
  }

  /** The conversation of a channel, which is loaded from now on. */
  at(
    { slug }: Pick<Community, 'slug'>,
    { id, name }: Pick<ChannelStub, 'id' | 'name'>,
  ): Conversation {
    this.#slugs.set(id, slug);
    this.#names.set(id, name);
    return this.#open.at(id);
  }

  /** From now on, who is in this channel and who writes there is reported, until the returned function is called. */
  watch(community: Id, channel: Id): () => void {
    const { client, clock } = this.#parts;
    this.#stopTimer?.();
    this.people.watch(community);
    client.watch({ channels: [channel], communities: [community] });
    return () => {
      this.#stopTimer?.();
      this.#stopTimer = clock.after(WATCHED_MS, () => this.#unwatch());
    };
  }

  /** The members of a community. It has to be watched before they are shown. */
  members(community: Id): MemberList {
    if (this.#members?.community !== community) {
      this.#members?.[Symbol.dispose]();
      this.#members = new MemberList(this.#parts.client, community);
    }
    return this.#members;
  }

  /** Stores what would be lost when the page goes. */
  followPage(): void {
    const { signal } = this.#ended;
    const each = (act: (conversation: Conversation) => void) => {
      for (const conversation of this.#open.all()) act(conversation);
      this.#parts.client.flushReadMarks();
    };
    const hide = () => each((conversation) => conversation.leave());
    window.addEventListener('pagehide', hide, { signal });
    const show = ({ persisted }: PageTransitionEvent) => {
      if (persisted) each((conversation) => conversation.comeBack());
    };
    window.addEventListener('pageshow', show, { signal });
    const change = () => {
      if (document.hidden) each((conversation) => conversation.flush());
    };
    document.addEventListener('visibilitychange', change, { signal });
    const unload = (event: BeforeUnloadEvent) => {
      if (this.#open.all().some(hasFiles)) event.preventDefault();
    };
    window.addEventListener('beforeunload', unload, { signal });
  }

  [Symbol.dispose](): void {
    this.#ended.abort();
    this.#stopTimer?.();
    this.#members?.[Symbol.dispose]();
    this.#cleanUp.dispose();
  }

  #unwatch(): void {
    this.#parts.client.watch({});
    this.people.watch(undefined);
    this.#members?.[Symbol.dispose]();
    this.#members = undefined;
  }

  #create(id: Id): Conversation {
    // It may change.
    const slug = () => this.#slugs.get(id) ?? '';
    const name = this.#names.get(id) ?? '';
    const onClosed = () => {
      this.#open.close(id);
      this.#closed.value += 1;
    };
    const own = lastingChannel(this.#own, id);
    return createChannel({ slug, id, name, own, onClosed }, this.#parts);
  }
}

function hasFiles({ uploads }: Conversation): boolean {
  return uploads.sending.peek().length > 0 || uploads.picked.peek().length > 0;
}
