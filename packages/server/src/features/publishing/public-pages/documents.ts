import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ProtocolError, RateLimitedError, ServerError } from '@hearth/protocol';
import { FairRuns } from '../../../lib/fair-runs.ts';
import { SharedWork } from '../../../lib/shared-work.ts';
import { within } from '../../../lib/within.ts';
import { sha256Of } from '../../../runtime/sha256.ts';
import { headHtml, type PlaceDocument, type PlaceHead } from './page-head.ts';
import { PlainAddresses } from './addresses.ts';
import type { FindShown, Shown } from './shown.ts';

/** Bounds of what is read and rendered at a time, and of what waits. */
const BOUNDS = { running: 8, runningOfOne: 4, waiting: 1_024, waitingOfOne: 64 };

/** When a client that waits for too much may ask again, in milliseconds. */
const RETRY_AFTER_MS = 1_000;

/** The most documents that are kept, and their size. */
const MOST_KEPT = 2_000;
const MOST_KEPT_BYTES = 16 * 1024 * 1024;

/** A rendered document or page; its addresses are those of {@link Documents.addressed}. */
export type Rendered = (PlaceDocument | PlaceHead) & {
  /** Differs if anything else does. */
  readonly tag: string;
};

/** A document that a client asks for. */
export interface Wanted {
  /** The path of the place, with its parameters as they are named in it. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly find: FindShown;
  readonly client: string;
  readonly patienceMs: number;
}

/**
 * The rendered pages. What visitors may see is read for each request, and requests that come at the same time share
 * a reading that begins after they came; it is rendered once for as long as it stays the same.
 */
export class Documents {
  readonly #instanceName: string;
  readonly #webUrl: string;
  readonly #runs = new FairRuns<Rendered | undefined>(BOUNDS);
  readonly #renderings = new SharedWork<Rendered>();
  readonly #kept = new LRUCache<string, Rendered>({
    max: MOST_KEPT,
    maxSize: MOST_KEPT_BYTES,
    sizeCalculation: (rendered) => 2 * JSON.stringify(rendered).length,
  });

  /** Without a public address, a name that nobody can guess stands for that by which the instance is asked. */
  constructor({
    instanceName,
    publicUrl,
  }: {
    instanceName: string;
    publicUrl: string | undefined;
  }) {
    this.#instanceName = instanceName;
    this.#webUrl = publicUrl?.replace(/\/+$/, '') ?? `http://${randomUUID()}.invalid`;
  }

  /**
   * Returns what visitors may see at a place; undefined if there is nothing, and `late` if that cannot be found out in
   * time. Throws RateLimitedError if the client waits for too much already, and whatever reading and rendering throw.
   */
  async at({
    path,
    params,
    find,
    client,
    patienceMs,
  }: Wanted): Promise<Rendered | 'late' | undefined> {
    const found = this.#runs.run({
      key: JSON.stringify([path, params]),
      client,
      work: async () => {
        const shown = await orNothing(find(params));
        return shown && (await this.#rendered(shown));
      },
    });
    if (found === undefined) throw new RateLimitedError(RETRY_AFTER_MS);
    const outcome = found.then(
      (rendered) => ({ rendered }),
      (error: unknown) => ({ error }),
    );
    const known = (await within(outcome, patienceMs)) ?? { rendered: 'late' as const };
    if ('error' in known) throw known.error;
    return known.rendered;
  }

  /** A text that was rendered, for those who ask for it by this address of the web client. */
  addressed(text: string, webUrl: string): string {
    return webUrl === this.#webUrl ? text : text.replaceAll(this.#webUrl, () => webUrl);
  }

  async #rendered({ of, render }: Shown): Promise<Rendered> {
    const name = sha256Of(Buffer.from(JSON.stringify(of)));
    return (
      this.#kept.get(name) ??
      (await this.#renderings.of(name, async () => {
        const made = await render(new PlainAddresses(this.#webUrl));
        const place = 'text' in made ? made : headHtml(made, this.#instanceName);
        // The same in every process.
        const text = this.addressed(JSON.stringify(place), '');
        const rendered = { ...place, tag: sha256Of(Buffer.from(text)) };
        this.#kept.set(name, rendered);
        return rendered;
      }))
    );
  }
}

/** The value that is found; undefined if it is not there for visitors. */
async function orNothing<Value>(found: Promise<Value>): Promise<Value | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof ProtocolError && !(error instanceof ServerError)) return undefined;
    throw error;
  }
}
