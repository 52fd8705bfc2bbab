import { computed, effect, signal, type Signal } from '@preact/signals';
import { parseId, type Id } from '@hearth/protocol';
import type { Connection } from '../connection/connection.ts';
import { CleanUp } from '../lib/clean-up.ts';
import { readInTab, writeInTab, type Storages } from '../lib/storage.ts';
import type { ConversationSource } from './conversation-source.ts';
import type { ReplyTarget } from './reply-target.ts';

export interface KeptReplyOptions {
  readonly source: Pick<ConversationSource, 'listMessages' | 'on'>;
  /** The whole address of a message. */
  readonly urlOf: (id: Id) => string;
  readonly connection: Pick<Connection, 'state'>;
  readonly storages: Storages;
  /** Separates it from those of other conversations. */
  readonly storageKey: string;
}

/**
 * The message that the draft replies to, kept in this browser as the draft is: each tab has its own, and a new tab starts
 * with the latest. It ends if the message is removed, also while the page was closed.
 */
export class KeptReply implements Disposable {
  readonly target: Signal<ReplyTarget | undefined>;
  readonly #options: KeptReplyOptions;
  readonly #cleanUp = new CleanUp();
  readonly #ended = new AbortController();
  readonly #key: string;

  constructor(options: KeptReplyOptions) {
    const { source, connection, storages, storageKey } = options;
    this.#options = options;
    this.#key = `hearth.reply.${storageKey}`;
    this.target = signal(parse(readInTab(storages, this.#key), options.urlOf));
    let isFirst = true;
    this.#cleanUp.defer(
      effect(() => {
        const { value } = this.target;
        if (!isFirst) this.#store(value);
        isFirst = false;
      }),
    );
    this.#cleanUp.defer(source.on('messageDelete', ({ id }) => this.#remove(id)));
    const isOpen = computed(() => connection.state.value.state === 'open');
    this.#cleanUp.defer(
      effect(() => {
        if (isOpen.value) void this.#check();
      }),
    );
  }

  [Symbol.dispose](): void {
    this.#ended.abort();
    this.#cleanUp.dispose();
  }

  /** Ends the reply if its message does not exist any more. From now on the gateway reports that. */
  async #check(): Promise<void> {
    const id = this.target.peek()?.id;
    if (id === undefined) return;
    try {
      const found = await this.#options.source.listMessages(
        { around: id, limit: 1 },
        { signal: this.#ended.signal },
      );
      if (found[0]?.id !== id) this.#remove(id);
    } catch {
      // A server that cannot say so shows the quote of a removed message.
    }
  }

  #remove(id: Id | undefined): void {
    if (id === undefined) return;
    if (this.target.peek()?.id === id) this.target.value = undefined;
  }

  #store(target: ReplyTarget | undefined): void {
    // Without its identifier, nobody could find out whether the message still exists.
    const { id, author, content, excerpt } = target ?? {};
    const text = id === undefined ? '' : JSON.stringify({ id, author, content, excerpt });
    writeInTab(this.#options.storages, this.#key, text);
  }
}

function parse(text: string, urlOf: KeptReplyOptions['urlOf']): ReplyTarget | undefined {
  try {
    const { id: idText, author, content, excerpt } = JSON.parse(text);
    const id = parseId(String(idText));
    if (id === undefined || typeof author !== 'string' || typeof content !== 'string') {
      return undefined;
    }
    const known = typeof excerpt === 'string' ? { excerpt } : {};
    return { id, author, content, ...known, url: urlOf(id) };
  } catch {
    return undefined;
  }
}
