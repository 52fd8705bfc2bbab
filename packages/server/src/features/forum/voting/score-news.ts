import type { Id } from '@hearth/protocol';
import type { Signal } from '../../../ports/signals/signals.ts';
import type { Context } from '../../../context.ts';
import { type KnownChannel, type KnownCommunities } from '../../communities/structure/structure.ts';
import { hiddenUntil, type Voted, type Votes } from '../votes/votes.ts';
import { POST_SIGNAL, type PostSignal } from '../posts/posts.ts';
import { VOTED_STORES } from './voted-stores.ts';

/** The shortest time between two totals of one post or comment, in milliseconds. */
const EVERY_MS = 1_000;

/** The time after which totals are looked through for some to be sent again, in milliseconds. */
const TICK_MS = 250;

/** The number of times that the last totals are sent if no process seems to hear of them. */
const MOST_ATTEMPTS = 10;

/** Something whose totals this process has changed a moment ago. */
interface Recent {
  readonly voted: Voted;
  dueAtMs: number;
  attempts: number;
  /** The totals that any process sent last. */
  heard: Votes | undefined;
}

interface Noted {
  readonly channel: KnownChannel;
  readonly voted: Voted;
  readonly votes: Votes;
}

interface NewsContext extends Pick<Context, 'clock' | 'database' | 'signals' | 'log'> {
  readonly communities: Pick<KnownCommunities, 'all'>;
}

/**
 * Sends those who watch a post how many votes it and its comments have. All processes together send the totals of one thing at
 * most once a second. Each that has changed them reads them again until the last ones were sent.
 */
export class ScoreNews {
  readonly #recent = new Map<Id, Recent>();
  #stop: (() => void) | undefined;
  #isReading = false;

  /** Takes totals that were changed. To be called after the commit, and only if they are not hidden. */
  note(ctx: NewsContext, { channel, voted, votes }: Noted): void {
    // The totals are read again when it is due.
    if (this.#recent.has(voted.id)) return;
    this.#stop ??= this.#start(ctx);
    const recent: Recent = {
      voted,
      dueAtMs: ctx.clock.monotonicMs() + EVERY_MS,
      attempts: 0,
      heard: undefined,
    };
    this.#recent.set(voted.id, recent);
    send(ctx, { voted, channel }, votes);
  }

  #start(ctx: NewsContext): () => void {
    const stopListening = ctx.signals.listen((signal) => this.#hear(signal));
    const stopTicking = ctx.clock.every(TICK_MS, () => void this.#tick(ctx));
    return () => {
      stopListening();
      stopTicking();
    };
  }

  #hear({ kind, d }: Signal): void {
    if (kind !== POST_SIGNAL) return;
    // Guarantee: nothing else is sent under this name.
    const { event } = d as PostSignal;
    if (event.op !== 'SCORE_UPDATE') return;
    const { post_id: postId, comment_id: commentId = postId, upvotes, downvotes } = event.d;
    const recent = this.#recent.get(commentId);
    if (recent !== undefined) recent.heard = { upvotes, downvotes };
  }

  async #tick(ctx: NewsContext): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      await this.#sendDue(ctx);
    } catch (err) {
      ctx.log.debug({ err }, 'totals of votes cannot be read');
    }
    this.#isReading = false;
    if (this.#recent.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  async #sendDue(ctx: NewsContext): Promise<void> {
    const nowMs = ctx.clock.monotonicMs();
    const due = [...this.#recent.values()].filter(({ dueAtMs }) => dueAtMs <= nowMs);
    for (const [kind, some] of Map.groupBy(due, ({ voted }) => voted.kind)) {
      const ids = some.map(({ voted }) => voted.id);
      const totals = await VOTED_STORES[kind].selectTotals(ctx.database.reader, ids);
      const homes = await ctx.communities.all(some.map(({ voted }) => voted.communityId));
      for (const recent of some) {
        const { id, communityId, channelId } = recent.voted;
        const channel = homes.get(communityId)?.channelById.get(channelId);
        this.#sendAgain(ctx, recent, { channel, votes: totals.get(id) });
      }
    }
  }

  /** Sends totals as those who see the channel now may know them, unless they were sent. */
  #sendAgain(
    ctx: NewsContext,
    recent: Recent,
    {
      channel,
      votes,
    }: { readonly channel: KnownChannel | undefined; readonly votes: Votes | undefined },
  ): void {
    const { heard, voted } = recent;
    const isHeard =
      heard !== undefined &&
      heard.upvotes === votes?.upvotes &&
      heard.downvotes === votes.downvotes;
    recent.attempts = isHeard ? 0 : recent.attempts + 1;
    const isOver = isHeard || recent.attempts > MOST_ATTEMPTS;
    if (votes === undefined || channel === undefined || isOver || isHidden(ctx, voted, channel)) {
      this.#recent.delete(voted.id);
      return;
    }
    recent.dueAtMs = ctx.clock.monotonicMs() + EVERY_MS;
    send(ctx, { voted, channel }, votes);
  }
}

export interface KeepsScores {
  readonly scores: Pick<ScoreNews, 'note'>;
}

function isHidden(
  { clock }: Pick<NewsContext, 'clock'>,
  { createdAtMs }: Voted,
  { postSettings }: KnownChannel,
): boolean {
  return hiddenUntil(createdAtMs, postSettings, clock.unixMs()) > 0;
}

function send(
  { signals }: Pick<NewsContext, 'signals'>,
  {
    voted: { kind, id, postId },
    channel,
  }: { readonly voted: Voted; readonly channel: KnownChannel },
  { upvotes, downvotes }: Votes,
): void {
  const d: PostSignal = {
    post_id: postId,
    stream: channel.stream,
    event: {
      op: 'SCORE_UPDATE',
      d: {
        post_id: postId,
        ...(kind === 'comment' && { comment_id: id }),
        score: upvotes - downvotes,
        upvotes,
        downvotes,
      },
    },
  };
  signals.send({ kind: POST_SIGNAL, d }, { key: `score ${id}`, everyMs: EVERY_MS });
}
