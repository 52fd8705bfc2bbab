import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Comment, CommentSort, Id, NewComment, Post } from '@hearth/protocol';
import { NotFoundError } from '@hearth/sdk';
import type { Loading } from '../list/post-list.ts';
import type { KnownPosts } from '../known-posts.ts';
import type { PostEvents, PostSource, VoteValue } from '../post-source.ts';
import { Submissions } from '../../writing/submissions.ts';
import { withTotals, withVote, type VoteSender } from '../votes.ts';
import { CommentTree, missingReplies, tombstoneOf } from './comment-tree.ts';

/** The number of comments above a linked one that are shown. */
const CONTEXT = 8;

const IDLE: Loading = { state: 'idle' };

export interface ThreadOptions {
  readonly id: Id;
  readonly source: PostSource;
  readonly known: KnownPosts;
  readonly votes: VoteSender;
  /** The account that reads; undefined for a visitor. */
  readonly owner: Id | undefined;
  readonly fail: (error: unknown) => void;
  readonly nonce: () => string;
}

/** A post with its comments while it is open. */
export class Thread {
  readonly id: Id;
  readonly post: ReadonlySignal<Post | undefined>;
  readonly tree = new CommentTree();
  /** The state of loading the post. */
  readonly opening = signal<Loading | { readonly state: 'missing' }>({ state: 'loading' });
  /**
   * The states of loading comments: the first ones or more of them under undefined, and the replies under each comment.
   */
  readonly loading = signal<ReadonlyMap<Id | undefined, Loading>>(new Map());
  readonly sort = signal<CommentSort>('top');
  /** The comment that the address names: it is shown with those above it. */
  readonly linked = signal<Id | undefined>(undefined);
  /** New comments on the post itself, which wait until the reader wants them. */
  readonly waiting = signal<readonly Comment[]>([]);
  /** The id to which the reader replies: the post itself by its own id. */
  readonly replyingTo = signal<Id | undefined>(undefined);
  readonly editing = signal<Id | undefined>(undefined);
  readonly hasMore: ReadonlySignal<boolean>;
  /** The accepted answer, which may be further down in the tree. */
  readonly answer = signal<Comment | undefined>(undefined);
  /** The number of comments that were new when the post was opened. */
  readonly newAtFirst = signal(0);
  readonly #options: ThreadOptions;
  readonly #next = signal<string | undefined>(undefined);
  readonly #written: Submissions<NewComment, Comment>;
  /** The cursors at which the replies under a comment go on. */
  readonly #nextUnder = new Map<Id, string>();
  #newestSeen: bigint | undefined;
  #reading: symbol | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.id = options.id;
    this.post = options.known.at(options.id);
    this.#written = new Submissions({
      nonce: options.nonce,
      send: (input, nonce) => options.source.requests.comment(this.id, { ...input, nonce }),
    });
    this.hasMore = computed(() => this.#next.value !== undefined);
  }

  /** Reads the post, and its comments. Never rejects. */
  async open(linked: Id | undefined): Promise<void> {
    this.linked.value = linked;
    await Promise.all([this.#openPost(), this.readComments()]);
    this.#markNew();
  }

  /** Shows the comments in another order. Never rejects. */
  async sortBy(sort: CommentSort): Promise<void> {
    this.sort.value = sort;
    await this.readComments();
  }

  /** Reads the comments from the beginning, or a linked one with what is above and below it. Never rejects. */
  async readComments(): Promise<void> {
    const linked = this.linked.peek();
    await this.#load(undefined, async (isLast) => {
      const { requests } = this.#options.source;
      const sort = this.sort.peek();
      const [first, page] =
        linked === undefined
          ? [[], await requests.comments(this.id, { sort })]
          : await Promise.all([
              requests.context(linked, CONTEXT),
              requests.comments(this.id, { sort, under: linked }),
            ]);
      if (!isLast()) return;
      batch(() => {
        this.tree.clear();
        this.#nextUnder.clear();
        this.waiting.value = [];
        this.#add(first);
        this.#add(page.entries);
        this.#next.value = linked === undefined ? page.next : undefined;
        if (linked !== undefined) this.#goOn(linked, page.next);
      });
    });
  }

  /** Reads the accepted answer. Never rejects. */
  async readAnswer(id: Id): Promise<void> {
    const known = this.tree.node(id).peek()?.comment;
    if (known !== undefined) this.answer.value = known;
    else {
      // Without it, it is still marked in the tree.
      const found = await this.#options.source.requests.context(id, 0).catch(() => []);
      this.answer.value = found.find((comment) => comment.id === id);
    }
  }

  /** Reads more comments on the post. Never rejects. */
  async more(): Promise<void> {
    const cursor = this.#next.peek();
    if (cursor === undefined || this.loading.peek().get(undefined)?.state === 'loading') return;
    await this.#load(undefined, async (isLast) => {
      const { requests } = this.#options.source;
      const page = await requests.comments(this.id, { sort: this.sort.peek(), cursor });
      if (!isLast()) return;
      batch(() => {
        this.#add(page.entries);
        this.#next.value = page.next;
      });
    });
  }

  /** Reads more replies to a comment. Never rejects. */
  async moreUnder(id: Id): Promise<void> {
    await this.#load(id, async (isLast) => {
      const { requests } = this.#options.source;
      const cursor = this.#nextUnder.get(id);
      const query = { sort: this.sort.peek(), under: id, cursor };
      const page = await requests.comments(this.id, query);
      if (!isLast()) return;
      this.#add(page.entries);
      this.#goOn(id, page.next);
      const node = this.tree.node(id).peek();
      // What was counted is gone, or the reader may not see it.
      if (node !== undefined && page.next === undefined && missingReplies(node) > 0) {
        const { length } = node.children;
        this.tree.change(id, (comment) => ({ ...comment, reply_count: length }));
      }
    });
  }

  /** Shows the new comments on the post. */
  showWaiting(): void {
    const waiting = this.waiting.peek();
    batch(() => {
      this.tree.add(waiting, { at: 'start', isNew: () => true });
      this.waiting.value = [];
    });
  }

  /** Writes a comment; `parent` is undefined for one on the post itself. Throws. */
  async write(content: string, parent: Id | undefined): Promise<void> {
    const part = parent === undefined ? {} : { parent_id: parent };
    this.#receive(await this.#written.send({ content, ...part }), true);
    this.replyingTo.value = undefined;
  }

  /** Throws. */
  async edit(id: Id, content: string): Promise<void> {
    this.tree.update(await this.#options.source.requests.changeComment(id, content));
    this.editing.value = undefined;
  }

  /** Never rejects. */
  async remove(id: Id): Promise<void> {
    try {
      await this.#options.source.requests.removeComment(id);
      const node = this.tree.node(id).peek();
      if (node === undefined) return;
      if (node.comment.reply_count > 0) this.tree.change(id, tombstoneOf);
      else this.tree.remove(id);
    } catch (error) {
      this.#options.fail(error);
    }
  }

  /** Never rejects. */
  async vote(id: Id, value: VoteValue): Promise<void> {
    const { source, votes, fail } = this.#options;
    const before = this.tree.node(id).peek()?.comment.my_vote ?? 0;
    await votes.cast(id, {
      value,
      before,
      show: (shown) => this.tree.change(id, (comment) => withVote(comment, shown)),
      send: (sent) => source.requests.voteComment(id, sent),
      showTotals: (totals) => this.tree.change(id, (comment) => withTotals(comment, totals)),
      fail,
    });
  }

  hear(comment: PostEvents['comment']): void {
    const { comment_count: count, ...rest } = comment;
    this.#options.known.change(this.id, (post) => ({ ...post, comment_count: count }));
    if (rest.user !== undefined && rest.user.id === this.#options.owner) {
      this.#receive(rest, true);
      return;
    }
    this.#receive(rest, false);
  }

  hearRemoval({ id, also = [], comment_count: count }: PostEvents['commentDelete']): void {
    this.#options.known.change(this.id, (post) => ({ ...post, comment_count: count }));
    this.waiting.value = this.waiting.peek().filter((each) => each.id !== id);
    for (const each of [id, ...also]) this.tree.remove(each);
  }

  hearScore({ comment_id: id, ...totals }: PostEvents['score']): void {
    if (id !== undefined) this.tree.change(id, (comment) => withTotals(comment, totals));
  }

  /** The instance says how many are new: those are the newest of others. */
  #markNew(): void {
    const count = this.newAtFirst.peek();
    if (count === 0) return;
    const others = this.tree.all().filter(({ user }) => user?.id !== this.#options.owner);
    const ids = others.map(({ id }) => BigInt(id)).toSorted((one, other) => (one < other ? 1 : -1));
    this.#newestSeen = ids[count] ?? 0n;
    this.tree.markNew((comment) => this.#isNew(comment));
  }

  #receive(comment: Comment, isOwn: boolean): void {
    if (this.tree.has(comment.id)) {
      this.tree.update(comment, true);
      return;
    }
    const { parent_id: parent } = comment;
    const isRoot = parent === undefined;
    if (this.waiting.peek().some(({ id }) => id === comment.id)) return;
    if (isRoot && this.linked.peek() !== undefined) return;
    if (isRoot && !isOwn) {
      this.waiting.value = [comment, ...this.waiting.peek()];
      return;
    }
    if (parent !== undefined && !this.tree.has(parent)) return;
    batch(() => {
      if (parent !== undefined) this.tree.count(parent, 1);
      this.tree.add([comment], { at: isOwn ? 'start' : 'end', isNew: () => !isOwn });
    });
  }

  #add(comments: readonly Comment[]): void {
    this.tree.add(comments, { at: 'end', isNew: (comment) => this.#isNew(comment) });
  }

  #isNew({ user, deleted, id }: Comment): boolean {
    if (deleted === true || user?.id === this.#options.owner) return false;
    return this.#newestSeen !== undefined && BigInt(id) > this.#newestSeen;
  }

  #goOn(id: Id, next: string | undefined): void {
    if (next === undefined) this.#nextUnder.delete(id);
    else this.#nextUnder.set(id, next);
  }

  async #openPost(): Promise<void> {
    const { source, known } = this.#options;
    try {
      const post = await source.requests.find(this.id);
      batch(() => {
        known.learn(post);
        this.newAtFirst.value = post.new_comments ?? 0;
        this.opening.value = IDLE;
      });
    } catch (error) {
      const isMissing = error instanceof NotFoundError;
      this.opening.value = isMissing ? { state: 'missing' } : { state: 'failed', error };
    }
  }

  async #load(
    under: Id | undefined,
    read: (isLast: () => boolean) => Promise<void>,
  ): Promise<void> {
    const reading = Symbol('read');
    if (under === undefined) this.#reading = reading;
    const isLast = () => under !== undefined || this.#reading === reading;
    const show = (how: Loading) => {
      if (isLast()) this.loading.value = new Map(this.loading.peek()).set(under, how);
    };
    show({ state: 'loading' });
    try {
      await read(isLast);
      show(IDLE);
    } catch (error) {
      show({ state: 'failed', error });
    }
  }
}
