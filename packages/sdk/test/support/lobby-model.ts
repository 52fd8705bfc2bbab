import { HISTORY_PAGE, compareIds, parseId, type Id, type LobbyMessage } from '@hearth/protocol';
import { NetworkError, type Gap, type ReceivedMessage } from '../../src/index.ts';
import type { LobbyEvent } from '../../src/lobby/feed.ts';
import { LobbyFeed, type FeedOptions } from '../../src/lobby/feed.ts';
import type { MessageQuery } from '../../src/messages.ts';
import type { RequestOptions } from '../../src/types.ts';
import { manualClock, settled } from '@hearth/testing/manual-clock';

/** The number of messages that the modelled instance keeps. */
export interface LobbyModelOptions {
  readonly history: number;
  readonly replay: number;
}

/** The possible next steps. */
export type Step =
  | 'post'
  | 'deliver'
  | 'connect'
  | 'disconnect'
  | 'answer'
  | 'answer late'
  | 'fail'
  | 'wait'
  | 'restart'
  | 'crash'
  | 'remove';

interface Question {
  readonly query: MessageQuery;
  /** The answer if the instance gives it at once. */
  readonly early: readonly LobbyMessage[];
  readonly resolve: (messages: readonly LobbyMessage[]) => void;
  readonly reject: (error: unknown) => void;
}

type Delivery = { readonly message: ReceivedMessage } | { readonly gap: Gap };

/** An instance in a few lines, a feed that is connected to it now and then, and everything that the feed delivered. */
export class LobbyModel {
  readonly delivered: Delivery[] = [];
  /** Everything that was posted since the feed was first connected. */
  readonly posted: LobbyMessage[] = [];
  /** Messages that no history has any more, because of the owner or of a crash. */
  readonly lost = new Set<Id>();
  readonly feed: LobbyFeed;
  isCurrent = true;
  readonly #options: LobbyModelOptions;
  readonly #clock = manualClock();
  #questions: Question[] = [];
  #history: LobbyMessage[] = [];
  #stream: LobbyEvent[] = [];
  /** The events on their way to the feed; a function is a caller that waits for what came before it. */
  #line: (LobbyEvent | (() => void))[] | undefined;
  #epoch = 1;
  #lastNumber = 7n;
  #wasOpen = false;

  constructor(options: LobbyModelOptions) {
    this.#options = options;
    const history: FeedOptions['history'] = {
      listMessages: (query, asked) => this.#ask(query, asked),
    };
    this.feed = new LobbyFeed({
      history,
      clock: this.#clock,
      random: () => 0.5,
      caughtUp: () => new Promise((resolve) => void this.#line?.push(resolve)),
      onMessage: (message) => this.delivered.push({ message }),
      onGap: (gap) => this.delivered.push({ gap }),
      onCurrent: (isCurrent) => {
        this.isCurrent = isCurrent;
      },
    });
  }

  get isConnected(): boolean {
    return this.#line !== undefined;
  }

  async take(step: Step): Promise<void> {
    switch (step) {
      case 'post':
        this.#post();
        break;
      case 'deliver': {
        const event = this.#line?.shift();
        if (typeof event === 'function') event();
        else if (event !== undefined) this.feed.event(event);
        break;
      }
      case 'connect':
        await this.#connect();
        break;
      case 'disconnect':
        this.#disconnect();
        break;
      case 'answer': {
        const question = this.#questions.shift();
        question?.resolve(question.early);
        break;
      }
      case 'answer late': {
        const question = this.#questions.shift();
        question?.resolve(this.#list(question.query));
        break;
      }
      case 'fail':
        this.#questions.shift()?.reject(new NetworkError('nobody is there'));
        break;
      case 'wait':
        await this.#clock.advance(500);
        break;
      case 'restart':
        this.#restart(0);
        break;
      case 'crash':
        this.#restart(2);
        break;
      case 'remove':
        this.#remove();
        break;
    }
    await settled();
  }

  /** Lets everything come to an end. */
  async settle(): Promise<void> {
    if (!this.isConnected) await this.take('connect');
    while (!this.isCurrent || this.#questions.length > 0 || (this.#line?.length ?? 0) > 0) {
      for (const step of ['answer late', 'wait', 'deliver'] as const) await this.take(step);
    }
  }

  #post(): void {
    this.#lastNumber += 3n;
    const message = {
      id: idOf(this.#lastNumber),
      author: 'ada',
      content: `no. ${this.#lastNumber}`,
      created_at: 0,
    };
    const event: LobbyEvent = { op: 'MESSAGE_CREATE', s: this.#stream.length + 1, d: message };
    this.#stream.push(event);
    this.#line?.push(event);
    this.#history = [...this.#history, message].slice(-this.#options.history);
    if (this.#options.history === 0) this.#history = [];
    if (this.#wasOpen) this.posted.push(message);
  }

  async #connect(): Promise<void> {
    if (this.#line !== undefined) return;
    if (!this.#wasOpen) {
      const prepared = this.feed.prepare(new AbortController().signal);
      await this.take('answer');
      await prepared;
    }
    this.#wasOpen = true;
    const { place } = this.feed;
    const head = this.#stream.length;
    const missed = place === undefined ? 0 : head - place.s;
    const isRecovered =
      place?.epoch === String(this.#epoch) && missed >= 0 && missed <= this.#options.replay;
    this.#line = isRecovered ? this.#stream.slice(place.s) : [];
    this.isCurrent = this.feed.opened({
      epoch: String(this.#epoch),
      s: isRecovered ? place.s : head,
    });
  }

  #disconnect(): void {
    if (this.#line === undefined) return;
    this.#line = undefined;
    this.feed.left();
  }

  #restart(lost: number): void {
    this.#disconnect();
    this.#epoch += 1;
    this.#stream = [];
    const kept = lost === 0 ? this.#history : this.#history.slice(0, -lost);
    for (const { id } of this.#history.slice(kept.length)) this.lost.add(id);
    this.#history = kept;
  }

  #remove(): void {
    const removed = this.#history.splice(Math.floor(this.#history.length / 2), 1);
    for (const { id } of removed) this.lost.add(id);
  }

  #ask(
    query: MessageQuery = {},
    { signal }: RequestOptions = {},
  ): Promise<readonly LobbyMessage[]> {
    return new Promise((resolve, reject) => {
      const question = { query, early: this.#list(query), resolve, reject };
      this.#questions.push(question);
      signal?.addEventListener('abort', () => {
        this.#questions = this.#questions.filter((other) => other !== question);
        reject(signal.reason);
      });
    });
  }

  #list({ before, after, limit = HISTORY_PAGE.default }: MessageQuery): readonly LobbyMessage[] {
    const between = this.#history.filter(
      ({ id }) =>
        (before === undefined || compareIds(id, before) < 0) &&
        (after === undefined || compareIds(id, after) > 0),
    );
    const isFromOldest = after !== undefined && before === undefined;
    return (isFromOldest ? between.slice(0, limit) : between.slice(-limit)).toReversed();
  }
}

function idOf(number: bigint): Id {
  const id = parseId(number.toString());
  if (id === undefined) throw new Error('an identifier');
  return id;
}
