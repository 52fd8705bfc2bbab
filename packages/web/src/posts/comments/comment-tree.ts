import { batch, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Comment, Id } from '@hearth/protocol';

/** A comment and what is known of its replies. */
export interface CommentNode {
  readonly comment: Comment;
  /** The replies that are there, in their order. */
  readonly children: readonly Id[];
  /** True if it came after the reader was here last. */
  readonly isNew: boolean;
  readonly isFolded: boolean;
}

interface Adding {
  /** The end of its siblings at which something unknown goes. */
  readonly at: 'end' | 'start';
  readonly isNew: (comment: Comment) => boolean;
}

/** Counts the replies to a comment that are not there. */
export function missingReplies({ comment, children }: CommentNode): number {
  return Math.max(0, comment.reply_count - children.length);
}

/** A comment that was deleted, and keeps its place. */
export function tombstoneOf({ user: _user, content: _content, ...comment }: Comment): Comment {
  return { ...comment, deleted: true };
}

/** The comments on a post that are there, as a tree. */
export class CommentTree {
  readonly #roots = signal<readonly Id[]>([]);
  readonly #nodes = new Map<Id, Signal<CommentNode | undefined>>();
  /** Comments that stay folded if the comments are read again. */
  readonly #folded = new Set<Id>();

  get roots(): ReadonlySignal<readonly Id[]> {
    return this.#roots;
  }

  node(id: Id): ReadonlySignal<CommentNode | undefined> {
    return this.#at(id);
  }

  has(id: Id): boolean {
    return this.#nodes.get(id)?.peek() !== undefined;
  }

  /** All comments that are there. */
  all(): readonly Comment[] {
    return [...this.#nodes.values()].flatMap((node) => node.peek()?.comment ?? []);
  }

  markNew(isNew: (comment: Comment) => boolean): void {
    batch(() => {
      for (const { id } of this.all().filter(isNew)) {
        this.#change(id, (node) => ({ ...node, isNew: true }));
      }
    });
  }

  clear(): void {
    batch(() => {
      for (const node of this.#nodes.values()) node.value = undefined;
      this.#roots.value = [];
    });
  }

  /** Adds comments, each after the one that it replies to. What is there stays in its place. */
  add(comments: readonly Comment[], { at, isNew }: Adding): void {
    batch(() => {
      for (const comment of comments) {
        const node = this.#at(comment.id);
        if (node.peek() !== undefined) {
          this.update(comment);
          continue;
        }
        const isFolded = this.#folded.has(comment.id);
        node.value = { comment, children: [], isNew: isNew(comment), isFolded };
        this.#place(comment, at);
      }
    });
  }

  /** A comment as it is now; an older version is ignored. What only the reader has stays if an event says nothing of it. */
  update(comment: Comment, isEvent = false): void {
    const node = this.#nodes.get(comment.id);
    const known = node?.peek();
    if (node === undefined || known === undefined) return;
    if (known.comment.version > comment.version) return;
    const vote = known.comment.my_vote;
    const isKept = isEvent && vote !== undefined;
    node.value = { ...known, comment: isKept ? { ...comment, my_vote: vote } : comment };
  }

  /** Changes what is known of a comment. */
  change(id: Id, how: (comment: Comment) => Comment): void {
    this.#change(id, (node) => ({ ...node, comment: how(node.comment) }));
  }

  /** A comment whose replies are counted on it has one more, or one fewer. */
  count(id: Id, difference: 1 | -1): void {
    this.change(id, (comment) => ({
      ...comment,
      reply_count: Math.max(0, comment.reply_count + difference),
    }));
  }

  fold(id: Id, isFolded: boolean): void {
    if (isFolded) this.#folded.add(id);
    else this.#folded.delete(id);
    this.#change(id, (node) => ({ ...node, isFolded }));
  }

  /** A comment and those above it that are there, as they are now. */
  pathTo(id: Id): readonly CommentNode[] {
    const path: CommentNode[] = [];
    for (let at: Id | undefined = id; at !== undefined;) {
      const node: CommentNode | undefined = this.#at(at).value;
      if (node === undefined) break;
      path.push(node);
      at = node.comment.parent_id;
    }
    return path;
  }

  /** Takes out a comment that has no replies. */
  remove(id: Id): void {
    const node = this.#nodes.get(id)?.peek();
    if (node === undefined) return;
    batch(() => {
      const { parent_id: parent } = node.comment;
      const without = (ids: readonly Id[]) => ids.filter((each) => each !== id);
      this.#roots.value = without(this.#roots.peek());
      if (parent !== undefined) {
        this.#change(parent, (above) => ({ ...above, children: without(above.children) }));
        this.count(parent, -1);
      }
      this.#at(id).value = undefined;
    });
  }

  #place({ id, parent_id: parent }: Comment, at: Adding['at']): void {
    const withIt = (ids: readonly Id[]) => (at === 'end' ? [...ids, id] : [id, ...ids]);
    if (parent === undefined || !this.has(parent)) this.#roots.value = withIt(this.#roots.peek());
    else this.#change(parent, (above) => ({ ...above, children: withIt(above.children) }));
  }

  #change(id: Id, how: (node: CommentNode) => CommentNode): void {
    const node = this.#nodes.get(id);
    const known = node?.peek();
    if (node !== undefined && known !== undefined) node.value = how(known);
  }

  #at(id: Id): Signal<CommentNode | undefined> {
    const known = this.#nodes.get(id) ?? signal<CommentNode | undefined>(undefined);
    this.#nodes.set(id, known);
    return known;
  }
}
