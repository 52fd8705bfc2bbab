import { channelMessageSchema } from '@hearth/protocol/schemas';
import type { Id } from '@hearth/protocol';
import type { Database } from '../../../src/ports/database/database.ts';
import { someAct, type Scene } from './acts.ts';
import type { Choices } from './choices.ts';
import type { Fleet } from './fleet.ts';
import { Ledger, type Written } from './ledger.ts';
import type { Person, Reply } from './person.ts';
import { Snapshot } from './snapshot.ts';
import { readMessages } from './view.ts';

/** What is done in a round, all at once. */
const POSTS = 3;
const CHANGES = 2;
const READS = 2;
/** Once in so many rounds, a process of this kind is killed. */
const KILL_ONCE_IN = { rest: 4, gateway: 5 } as const;

/** Who saw what while a round lasted: before it, and after it. */
export interface Round {
  readonly before: Snapshot;
  readonly after: Snapshot;
}

export interface RoundsOptions {
  readonly scene: Scene;
  readonly fleet: Fleet;
  readonly database: Pick<Database, 'reader'>;
  readonly choices: Choices;
}

/** Rounds of requests, of which one at most changes who may see what, so that it is known who must be sent what. */
export class Rounds {
  readonly ledger = new Ledger();
  readonly rounds: Round[] = [];
  readonly #options: RoundsOptions;
  readonly #restarts = new Set<Promise<void>>();
  /** The messages that a request of this round changes. */
  readonly #inUse = new Set<string>();
  #now: Snapshot;

  private constructor(options: RoundsOptions, now: Snapshot) {
    this.#options = options;
    this.#now = now;
  }

  static async begin(options: RoundsOptions): Promise<Rounds> {
    return new Rounds(options, await snapshotOf(options));
  }

  /** Everybody in the community, or outside. */
  get people(): readonly Person[] {
    return peopleOf(this.#options.scene);
  }

  get now(): Snapshot {
    return this.#now;
  }

  /** Does a round, and checks every answer. */
  async next(): Promise<void> {
    const { scene, choices, fleet } = this.#options;
    const before = this.#now;
    const at = this.rounds.length;
    this.#inUse.clear();
    const checks: Promise<(after: Snapshot) => void>[] = [];
    const repeat = (times: number, begin: () => Promise<(after: Snapshot) => void> | undefined) => {
      for (let time = 0; time < times; time += 1) checks.push(begin() ?? Promise.resolve(() => {}));
    };
    const existing = new Map(before.channels.map((id) => [id, this.ledger.contentsOf(id).length]));
    repeat(POSTS, () => this.#post(at));
    repeat(CHANGES, () => this.#change(at));
    repeat(READS, () => this.#read(existing));
    if (!choices.onceIn(4)) {
      const act = someAct({ scene, snapshot: before, choices });
      checks.push(act.by.ask(act.method, act.path, act.body).then(() => () => {}));
    }
    for (const kind of ['rest', 'gateway'] as const) {
      if (choices.onceIn(KILL_ONCE_IN[kind])) this.#restart(fleet.kill(kind, choices));
    }
    const done = await Promise.all(checks);
    this.#now = await snapshotOf(this.#options);
    this.rounds.push({ before, after: this.#now });
    for (const check of done) check(this.#now);
    for (const message of this.ledger.written.values()) {
      if (!this.#now.channels.includes(message.channel)) message.isDeleted = true;
    }
  }

  /** Resolves when all processes run that were killed. */
  async settled(): Promise<void> {
    await Promise.all(this.#restarts);
  }

  #restart(started: Promise<void>): void {
    this.#restarts.add(started);
    // It is reported to those who wait for all of them.
    started.catch(() => {});
  }

  #post(at: number): Promise<(after: Snapshot) => void> {
    const { choices } = this.#options;
    const before = this.#now;
    const [person, channel] = [choices.of(this.people), choices.of(before.channels)];
    const content = this.ledger.newContent(at);
    const body = { content, nonce: crypto.randomUUID() };
    return person.ask('POST', `/channels/${channel}/messages`, body).then((reply) => {
      if (reply.status === 200) {
        const { id } = channelMessageSchema.parse(reply.body);
        this.ledger.add({ id, channel, author: person, content });
      } else if (reply.wasRepeated) this.ledger.doubt(content);
      return (after) => {
        const may = [before, after].map((each) => each.may(person.id, 'SEND_MESSAGES', channel));
        expectAnswer(reply, may, `${person.name} posts in ${channel}`);
      };
    });
  }

  #change(at: number): Promise<(after: Snapshot) => void> | undefined {
    const { choices, scene } = this.#options;
    const before = this.#now;
    const message = this.ledger.some(choices, ({ id }) => !this.#inUse.has(id));
    if (message === undefined) return undefined;
    this.#inUse.add(message.id);
    const path = `/channels/${message.channel}/messages/${message.id}`;
    if (choices.onceIn(3)) return this.#react(path);
    return choices.onceIn(3)
      ? this.#delete(message, choices.onceIn(2) ? message.author : scene.owner, path)
      : this.#edit(message, { before, content: this.ledger.newContent(at), path });
  }

  async #edit(
    message: Written,
    {
      before,
      content,
      path,
    }: { readonly before: Snapshot; readonly content: string; readonly path: string },
  ): Promise<(after: Snapshot) => void> {
    const { author, channel } = message;
    const reply = await author.ask('PATCH', path, { content });
    if (reply.status === 200) message.content = content;
    else if (reply.wasRepeated) {
      for (const each of [content, message.content]) this.ledger.doubt(each);
    }
    return (after) => {
      const may = [before, after].map((each) => each.may(author.id, 'SEND_MESSAGES', channel));
      expectAnswer(reply, may, `${author.name} edits in ${channel}`);
    };
  }

  async #react(path: string): Promise<(after: Snapshot) => void> {
    const { choices } = this.#options;
    const method = choices.onceIn(3) ? 'DELETE' : 'PUT';
    const emoji = encodeURIComponent(choices.of(['🌱', '🌻']));
    await choices.of(this.people).ask(method, `${path}/reactions/${emoji}`);
    return () => {};
  }

  async #delete(message: Written, by: Person, path: string): Promise<(after: Snapshot) => void> {
    const reply = await by.ask('DELETE', path);
    if (reply.status === 200) message.isDeleted = true;
    // The first request may have been done, or the channel may be hidden from them by now.
    else if (reply.wasRepeated) this.ledger.doubt(message.content);
    return () => {};
  }

  /** Somebody reads a channel: nothing if they may not know of it, and otherwise everything that was answered before. */
  async #read(existing: ReadonlyMap<Id, number>): Promise<(after: Snapshot) => void> {
    const { choices } = this.#options;
    const [earlier, before] = [this.rounds.at(-1)?.before ?? this.#now, this.#now];
    const [person, channel] = [choices.of(this.people), choices.of(before.channels)];
    const { status } = await person.ask('GET', `/channels/${channel}/messages?limit=1`);
    const messages = await readMessages(person, channel);
    return (after) => {
      const sees = [earlier, before, after].map((each) => each.mayRead(person.id, channel));
      if (sees.every((each) => !each) && status !== 404) {
        throw new Error(`${person.name} reads ${channel}, which is hidden: ${status}`);
      }
      if (!sees.every(Boolean)) return;
      const least = (existing.get(channel) ?? 0) - CHANGES;
      if (status !== 200 || messages.length < least) {
        throw new Error(`${person.name} reads ${messages.length} of ${least} in ${channel}`);
      }
    };
  }
}

/** Everybody of a scene. */
export function peopleOf({ owner, moderator, others }: Scene): readonly Person[] {
  return [owner, moderator, ...others];
}

/** Throws if somebody could do what they may not, or the other way round. `may` is from before the round, and after it. */
function expectAnswer({ status, body }: Reply, may: readonly boolean[], what: string): void {
  const isDone = status === 200;
  if (isDone && may.some(Boolean)) return;
  if (!isDone && !may.every(Boolean)) return;
  throw new Error(`${what}: ${status} ${JSON.stringify(body)}, though they may: ${may.join()}`);
}

function snapshotOf({ database, scene }: Pick<RoundsOptions, 'database' | 'scene'>) {
  return Snapshot.read(
    database,
    scene.community,
    peopleOf(scene).map(({ id }) => id),
  );
}
