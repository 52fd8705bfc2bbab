import { compareIds, HISTORY_PAGE, parseId, type Id, type Reaction } from '@hearth/protocol';
import { manualClock, settled } from '@hearth/testing/manual-clock';
import type {
  ConversationEvent,
  ListMessages,
  Place,
} from '../../src/conversation/conversation.ts';
import { ConversationFeed } from '../../src/conversation/feed.ts';
import { NetworkError } from '../../src/errors.ts';
import type { MessageQuery } from '../../src/messages.ts';
import { withReaction } from '../../src/reaction-change.ts';

/** A message of an imaginary conversation. */
export interface Note {
  readonly id: Id;
  readonly text: string;
  readonly version: number;
  readonly reactions?: readonly Reaction[];
}

/** The possible next steps. `number` chooses a message. */
export type Step =
  | { readonly kind: 'edit' | 'delete' | 'delete many' | 'react'; readonly number: number }
  | { readonly kind: 'post' | 'noise' | 'deliver' | 'lose' | 'connect' | 'disconnect' }
  | { readonly kind: 'answer' | 'answer late' | 'fail' | 'wait' | 'restart' };

interface Question {
  /** The answer if the instance gives it at once. */
  readonly early: readonly Note[];
  readonly late: () => readonly Note[];
  readonly resolve: (notes: readonly Note[]) => void;
  readonly reject: (error: unknown) => void;
}

type Sent = ConversationEvent<Note>;

const STREAM = 'd:7';

/** No more are posted: a feed reads this many again after a loss. */
const MOST_POSTS = 50;

/** An instance with one conversation, in a few lines; a feed that is connected now and then; and a reader that applies what it reports. */
export class ConversationModel {
  /** The messages of a reader that applies everything: each once, in its newest version. */
  readonly shown: Note[] = [];
  /** Everything that was reported, in words. */
  readonly reported: string[] = [];
  gaps = 0;
  isCurrent = true;
  readonly feed: ConversationFeed<Note>;
  readonly #replay: number;
  readonly #clock = manualClock();
  #questions: Question[] = [];
  readonly #isComplete: boolean;
  /** Unless the history is complete, the first message was there before everything, and stays. */
  #kept: Note[];
  #stream: Sent[] = [];
  /** The events on their way to the feed; a function is a caller that waits for what came before it. */
  #line: (Sent | (() => void))[] | undefined;
  #epoch = 1;
  #posts = 0;
  #wasOpen = false;

  /** `replay` is how many events are kept to resume from. In a complete history, the feed may rely on every message. */
  constructor(replay: number, isComplete = false) {
    this.#replay = replay;
    this.#isComplete = isComplete;
    this.#kept = isComplete ? [] : [noteOf(1)];
    this.feed = new ConversationFeed<Note>({
      stream: STREAM,
      list: this.#list,
      isComplete,
      clock: this.#clock,
      random: () => 0.5,
      caughtUp: () => new Promise((resolve) => void this.#line?.push(resolve)),
      onMessage: (note) => {
        this.reported.push(`new ${note.id}`);
        this.shown.push(note);
      },
      onUpdate: (note) => {
        this.reported.push(`edited ${note.id}`);
        const index = this.shown.findIndex(({ id }) => id === note.id);
        if (index !== -1) this.shown[index] = note;
      },
      onDelete: (id) => {
        this.reported.push(`deleted ${id}`);
        const index = this.shown.findIndex((note) => note.id === id);
        if (index !== -1) this.shown.splice(index, 1);
      },
      onReaction: (change) => {
        this.reported.push(`reacted ${change.id}`);
        const index = this.shown.findIndex(({ id }) => id === change.id);
        const note = this.shown[index];
        if (note !== undefined) this.shown[index] = withReaction(note, change);
      },
      onGap: () => void (this.gaps += 1),
      onCurrent: (isCurrent) => void (this.isCurrent = isCurrent),
    });
  }

  /** The instance's messages, without those from before the feed. */
  get kept(): readonly Note[] {
    return this.#kept.slice(this.#oldest);
  }

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'post':
        this.#post();
        break;
      case 'edit':
        this.#edit(step.number);
        break;
      case 'delete':
        this.#delete(step.number);
        break;
      case 'delete many':
        this.#deleteMany(step.number);
        break;
      case 'react':
        this.#react(step.number);
        break;
      case 'noise':
        this.#emit({ op: 'unknown' });
        this.#line?.push({ op: 'MESSAGE_CREATE', t: 'd:8', s: 1_000_000, d: noteOf(3) });
        break;
      case 'lose':
        this.#line?.shift();
        break;
      case 'deliver':
        this.#deliver();
        break;
      case 'connect':
        await this.#connect();
        break;
      case 'disconnect':
        this.#disconnect();
        break;
      case 'answer':
      case 'answer late':
      case 'fail':
        this.#answer(step.kind);
        break;
      case 'wait':
        await this.#clock.advance(500);
        break;
      case 'restart':
        this.#disconnect();
        this.#epoch += 1;
        this.#stream = [];
        break;
    }
    await settled();
  }

  /** Lets everything come to an end. */
  async settle(): Promise<void> {
    await this.take({ kind: 'connect' });
    while (!this.isCurrent || this.#questions.length > 0 || (this.#line?.length ?? 0) > 0) {
      for (const kind of ['answer late', 'wait', 'deliver'] as const) await this.take({ kind });
    }
  }

  #post(): void {
    if (this.#posts >= MOST_POSTS || !this.#wasOpen) return;
    this.#posts += 1;
    const note = noteOf(7 + this.#posts * 3);
    this.#kept.push(note);
    this.#emit({ op: 'MESSAGE_CREATE', d: note });
  }

  #edit(number: number): void {
    const index = this.#chosen(number);
    const note = this.#kept[index];
    if (note === undefined) return;
    const version = note.version + 1;
    const edited = { ...note, text: `${note.id} for the ${version}th time`, version };
    this.#kept[index] = edited;
    this.#emit({ op: 'MESSAGE_UPDATE', d: edited });
  }

  #react(number: number): void {
    const index = this.#chosen(number);
    const note = this.#kept[index];
    if (note === undefined) return;
    const emoji = number % 2 === 0 ? '👍' : '🎉';
    const count = note.reactions?.find((reaction) => reaction.emoji === emoji)?.count ?? 0;
    const isAdded = count < 2;
    const change = {
      id: note.id,
      emoji,
      count: isAdded ? count + 1 : 0,
      user_id: note.id,
      version: note.version + 1,
    };
    this.#kept[index] = withReaction(note, { ...change, isAdded });
    this.#emit({ op: isAdded ? 'REACTION_ADD' : 'REACTION_REMOVE', d: change });
  }

  #delete(number: number): void {
    const [deleted] = this.#kept.splice(this.#chosen(number), 1);
    if (deleted !== undefined) this.#emit({ op: 'MESSAGE_DELETE', d: { id: deleted.id } });
  }

  /** Up to three of them. */
  #deleteMany(number: number): void {
    const deleted = this.#kept.splice(this.#chosen(number), 3);
    if (deleted.length === 0) return;
    this.#emit({ op: 'MESSAGE_DELETE_MANY', d: { ids: deleted.map(({ id }) => id) } });
  }

  /** Never the one that stays. */
  #chosen(number: number): number {
    const count = this.#kept.length - this.#oldest;
    return this.#oldest + (count < 1 ? 0 : number % count);
  }

  get #oldest(): number {
    return this.#isComplete ? 0 : 1;
  }

  #emit(event: WithoutPosition<Sent>): void {
    const sent = { t: STREAM, s: this.#stream.length + 1, ...event };
    this.#stream.push(sent);
    this.#line?.push(sent);
  }

  #deliver(): void {
    const event = this.#line?.shift();
    if (typeof event === 'function') event();
    else if (event !== undefined) this.feed.receive(event);
  }

  async #connect(): Promise<void> {
    if (this.#line !== undefined) return;
    if (!this.#wasOpen && this.#isComplete) this.feed.begin(undefined);
    else if (!this.#wasOpen) {
      const prepared = this.feed.prepare(new AbortController().signal);
      await this.take({ kind: 'answer' });
      await prepared;
    }
    this.#wasOpen = true;
    const { place } = this.feed;
    const epoch = String(this.#epoch);
    const missed = this.#stream.length - (place?.s ?? 0);
    const isRecovered = place?.epoch === epoch && missed >= 0 && missed <= this.#replay;
    const at: Place = isRecovered ? place : { epoch, s: this.#stream.length };
    this.#line = this.#stream.slice(at.s);
    this.isCurrent = this.feed.opened(at);
  }

  #disconnect(): void {
    if (this.#line === undefined) return;
    this.#line = undefined;
    this.feed.left();
  }

  #answer(how: 'answer' | 'answer late' | 'fail'): void {
    const question = this.#questions.shift();
    if (how === 'fail') question?.reject(new NetworkError('nobody is there'));
    else question?.resolve(how === 'answer' ? question.early : question.late());
  }

  readonly #list: ListMessages<Note> = (query, { signal }) =>
    new Promise((resolve, reject) => {
      const late = () => pageOf(this.#kept, query);
      const question: Question = { early: late(), late, resolve, reject };
      this.#questions.push(question);
      signal?.addEventListener('abort', () => {
        this.#questions = this.#questions.filter((other) => other !== question);
        reject(signal.reason);
      });
    });
}

type WithoutPosition<Event> = Event extends unknown ? Omit<Event, 's'> : never;

function pageOf(
  notes: readonly Note[],
  { before, after, limit = HISTORY_PAGE.default }: MessageQuery,
): readonly Note[] {
  const between = notes.filter(
    ({ id }) =>
      (before === undefined || compareIds(id, before) < 0) &&
      (after === undefined || compareIds(id, after) > 0),
  );
  const isFromOldest = after !== undefined && before === undefined;
  return (isFromOldest ? between.slice(0, limit) : between.slice(-limit)).toReversed();
}

/** The message with that number, as it is posted. */
export function noteOf(number: number): Note {
  const id = parseId(String(number));
  if (id === undefined) throw new Error('an identifier');
  return { id, text: `no. ${number}`, version: 0 };
}
