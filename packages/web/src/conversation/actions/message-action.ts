import type { ComponentChildren } from 'preact';

/** Something that a reader can do with a message. */
export interface MessageAction {
  readonly key: string;
  readonly label: string;
  readonly icon: ComponentChildren;
  readonly isDanger?: boolean;
  readonly isAfterLine?: boolean;
  /** Returns a sentence about what it did, if that cannot be seen. */
  run(): void | Promise<string>;
}
