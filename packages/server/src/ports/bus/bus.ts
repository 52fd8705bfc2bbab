import type { ServerEvent } from '@hearth/protocol';

/** An event on its way to its audience. */
export interface Publication {
  readonly audience: 'everyone';
  readonly event: ServerEvent;
}

/** Takes a publication; a returned promise holds back the publisher until it is settled. */
export type BusListener = (publication: Publication) => Promise<void> | void;

/**
 * Fan-out from verbs to gateways, in one total order: every listener sees every publication that follows its
 * subscription, once, in the order in which `publish` was called. Live only: nothing is kept for later.
 */
export interface Bus extends AsyncDisposable {
  /**
   * Hands the publication to every listener of this process; where one takes its time, the promise resolves when it
   * has taken it, not when clients have received it. Throws after disposal.
   */
  publish(publication: Publication): void | Promise<void>;

  /** Adds a listener and returns what removes it. A listener that throws is its own affair: others are still served. */
  subscribe(listener: BusListener): () => void;
}
