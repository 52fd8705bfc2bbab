import { parseId, type Id } from '@hearth/protocol';

/** Something whose messages have addresses. */
export interface Addressed {
  /** The address of a message, below the page's own address. */
  addressOf(id: Id): string;
}

/** The whole address of a message; `root` is that of the place `/`. */
export function messageUrl(
  conversation: Addressed,
  id: Id,
  root: string = document.baseURI,
): string {
  return new URL(conversation.addressOf(id).replace(/^\/+/, ''), new URL('./', root)).href;
}

/** The message of the conversation at an address, or undefined if the address leads elsewhere. */
export function messageIdAt(
  conversation: Addressed,
  url: string,
  root: string = document.baseURI,
): Id | undefined {
  const id = parseId(url.slice(url.lastIndexOf('/') + 1));
  return id !== undefined && messageUrl(conversation, id, root) === url ? id : undefined;
}
