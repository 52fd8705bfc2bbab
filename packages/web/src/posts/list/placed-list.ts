/** The place of the reader: the post at the upper edge, and how far it was above that edge. */
export interface ListAnchor {
  readonly id: string;
  readonly offset: number;
}

/** A list in which the reader has a place. */
export interface PlacedList {
  /** The kind of its entries: the elements with this in their data set. */
  readonly item: 'post' | 'comment';
  anchor: ListAnchor | undefined;
  focused: string | undefined;
}
