import { accountName } from './author-name.ts';
import type { Client, Id } from '@hearth/sdk';
import { inLine } from '../text.ts';

/** Somebody who wrote within this time is shown; clients report it more often. */
const SHOWN_MS = 8_000;

/** More are not named. */
const MOST_NAMED = 2;

/** The parts of {@link Writers}. */
export interface WritersOptions {
  readonly client: Pick<Client, 'on'>;
  readonly nowMs?: () => number;
  /** Called if somebody may have begun or ended. */
  readonly onChange: () => void;
}

/** The people who are writing in the channels that are watched. */
export class Writers implements Disposable {
  readonly #options: WritersOptions;
  /** When each person counts as having stopped, by channel and user. */
  readonly #people = new Map<Id, Map<Id, { readonly name: string; readonly untilMs: number }>>();
  readonly #stops: readonly (() => void)[];
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(options: WritersOptions) {
    this.#options = options;
    const { client, onChange } = options;
    this.#stops = [
      client.on('typing', ({ channel_id: channelId, user }) => {
        const writing = this.#people.get(channelId) ?? new Map();
        writing.set(user.id, {
          name: inLine(accountName(user)),
          untilMs: this.#nowMs() + SHOWN_MS,
        });
        this.#people.set(channelId, writing);
        this.#afterwards();
        onChange();
      }),
      // A message of theirs is what they have written.
      client.on('channelMessage', ({ message }) => {
        const { user } = message;
        if (user !== undefined && this.#people.get(message.channel_id)?.delete(user.id) === true) {
          onChange();
        }
      }),
    ];
  }

  /** Returns who writes in a channel, for a prompt: ` (ada is writing)`. Empty if nobody does. */
  in(channelId: Id | undefined): string {
    const all = channelId === undefined ? [] : [...(this.#people.get(channelId)?.values() ?? [])];
    const nowMs = this.#nowMs();
    const names = all.filter(({ untilMs }) => untilMs > nowMs).map(({ name }) => name);
    if (names.length === 0) return '';
    if (names.length > MOST_NAMED) return ' (several people are writing)';
    return ` (${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} writing)`;
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops) stop();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #nowMs(): number {
    return this.#options.nowMs?.() ?? Date.now();
  }

  #afterwards(): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#options.onChange();
    }, SHOWN_MS + 1);
    this.#timers.add(timer);
  }
}
