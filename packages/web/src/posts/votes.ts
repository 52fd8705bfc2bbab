import type { Totals } from '@hearth/protocol';
import type { Page } from '../communities/page.ts';
import type { PostRequests, VoteValue } from './post-source.ts';

/** Something that people vote on. */
export type Votable = Totals & { readonly my_vote?: 1 | -1 };

/** Returns something as if the reader voted so. Hidden totals stay hidden. */
export function withVote<Subject extends Votable>(subject: Subject, value: VoteValue): Subject {
  const before = subject.my_vote ?? 0;
  const { my_vote: _, ...rest } = subject;
  const { score, upvotes, downvotes } = subject;
  const counted = (count: number, of: 1 | -1) =>
    Math.max(0, count + Number(value === of) - Number(before === of));
  // Guarantee: only the vote and the totals differ.
  return {
    ...rest,
    ...(value !== 0 && { my_vote: value }),
    ...(score !== undefined && { score: score + value - before }),
    ...(upvotes !== undefined && { upvotes: counted(upvotes, 1) }),
    ...(downvotes !== undefined && { downvotes: counted(downvotes, -1) }),
  } as Subject;
}

/** Returns something with these totals. */
export function withTotals<Subject extends Votable>(subject: Subject, totals: Totals): Subject {
  const { score: _1, upvotes: _2, downvotes: _3, scores_hidden_until: _4, ...rest } = subject;
  const { score, upvotes, downvotes, scores_hidden_until: hiddenUntil } = totals;
  // Guarantee: only the totals differ.
  return {
    ...rest,
    ...(score !== undefined && { score }),
    ...(upvotes !== undefined && { upvotes }),
    ...(downvotes !== undefined && { downvotes }),
    ...(hiddenUntil !== undefined && { scores_hidden_until: hiddenUntil }),
  } as unknown as Subject;
}

/** The functions by which a vote is shown and sent. */
export interface Casting {
  readonly value: VoteValue;
  readonly before: VoteValue;
  readonly show: (value: VoteValue) => void;
  readonly send: (value: VoteValue) => Promise<Totals>;
  readonly showTotals: (totals: Totals) => void;
  readonly fail: (error: unknown) => void;
}

interface Sending {
  wanted: VoteValue;
  /** The vote that the instance has. */
  stored: VoteValue;
}

/**
 * Sends votes: each shows at once, and is taken back if it fails. Of several for the same subject, one is on its way at a time,
 * and the last one counts.
 */
export class VoteSender {
  readonly #sending = new Map<string, Sending>();
  /** A vote, and the number of votes after which the instance had it. */
  readonly #stored = new Map<string, { readonly value: VoteValue; readonly turn: number }>();
  #turn = 0;

  /** The number of votes that the instance has had. */
  get turn(): number {
    return this.#turn;
  }

  /** Returns what was asked for at that turn, with the reader's vote if the instance may not have had it yet. */
  kept<Subject extends Votable & { readonly id: string }>(subject: Subject, turn: number): Subject {
    const sending = this.#sending.get(subject.id);
    if (sending !== undefined) return withVote(subject, sending.wanted);
    const stored = this.#stored.get(subject.id);
    return stored === undefined || stored.turn <= turn ? subject : withVote(subject, stored.value);
  }

  /** Never rejects. */
  async cast(subject: string, casting: Casting): Promise<void> {
    const { value, before, show } = casting;
    show(value);
    const known = this.#sending.get(subject);
    if (known !== undefined) {
      known.wanted = value;
      return;
    }
    const sending: Sending = { wanted: value, stored: before };
    this.#sending.set(subject, sending);
    try {
      await sendWanted(sending, casting);
      this.#turn += 1;
      this.#stored.set(subject, { value: sending.stored, turn: this.#turn });
    } catch (error) {
      show(sending.stored);
      casting.fail(error);
    } finally {
      this.#sending.delete(subject);
    }
  }
}

async function sendWanted(sending: Sending, { send, showTotals }: Casting): Promise<void> {
  while (sending.wanted !== sending.stored) {
    const { wanted } = sending;
    const totals = await send(wanted);
    sending.stored = wanted;
    if (sending.wanted === wanted) showTotals(totals);
  }
}

/**
 * Returns the requests, but what they answer has the votes that were cast since they were asked for: a list that was on
 * its way must not take them back.
 */
export function keepingVotes(requests: PostRequests, votes: VoteSender): PostRequests {
  const one = async <Subject extends Votable & { readonly id: string }>(ask: Promise<Subject>) => {
    const { turn } = votes;
    return votes.kept(await ask, turn);
  };
  const all = async <Subject extends Votable & { readonly id: string }>(
    ask: Promise<readonly Subject[]>,
  ) => {
    const { turn } = votes;
    return (await ask).map((subject) => votes.kept(subject, turn));
  };
  const page = async <Subject extends Votable & { readonly id: string }>(
    ask: Promise<Page<Subject>>,
  ) => {
    const { turn } = votes;
    const { entries, ...rest } = await ask;
    return { ...rest, entries: entries.map((subject) => votes.kept(subject, turn)) };
  };
  const kept: Partial<PostRequests> = {
    list: (...asked) => page(requests.list(...asked)),
    find: (id) => one(requests.find(id)),
    change: (...asked) => one(requests.change(...asked)),
    accept: (...asked) => one(requests.accept(...asked)),
    comments: (...asked) => page(requests.comments(...asked)),
    context: (...asked) => all(requests.context(...asked)),
    changeComment: (...asked) => one(requests.changeComment(...asked)),
  };
  return new Proxy(requests, {
    get: (target, name) => Reflect.get(kept, name) ?? Reflect.get(target, name),
  });
}
