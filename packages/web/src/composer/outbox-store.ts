import type { SdkClock } from '@hearth/sdk';
import { readStored, writeStored, type Storages } from '../settings/storage.ts';
import { newNonce } from './nonce.ts';
import type { OutboxItem } from './outbox-item.ts';

/** A page that has messages on their way writes them down at least this often, though hidden pages are slowed down. */
const HEARTBEAT_MS = 20_000;

/** A record that was not written down for so long is nobody's any more. */
export const ABANDONED_MS = 180_000;

interface Kept {
  readonly savedAtMs: number;
  readonly items: readonly KeptItem[];
}

interface KeptItem {
  readonly key: string;
  readonly author: string;
  readonly content: string;
  readonly createdAtMs: number;
  /** Whether nothing had been sent of it. */
  readonly isUnsent: boolean;
}

/**
 * Keeps the messages of an outbox over reloads and crashes. Every page has a record of its own, so that two pages of
 * one instance do not send each other's; a record that no page owns any more is taken over by the next.
 */
export class OutboxStore implements Disposable {
  readonly #storages: Storages;
  readonly #prefix: string;
  readonly #clock: SdkClock;
  #page: string;
  #items: readonly OutboxItem[] = [];
  #stopHeartbeat: (() => void) | undefined;

  /** `instance` tells the instances apart that one origin may have had. */
  constructor(storages: Storages, instance: string, clock: SdkClock) {
    this.#storages = storages;
    this.#prefix = `hearth.outbox.${instance}.`;
    this.#clock = clock;
    this.#page = newNonce();
  }

  /** The messages that this page, before it was loaded anew, or an abandoned one had on their way; the oldest first. */
  restore(): readonly OutboxItem[] {
    const { local, session } = this.#storages;
    const own = readStored(session, this.#prefix);
    const ownKey = own === undefined ? undefined : this.#prefix + own;
    const items = keysOf(local).flatMap((key): readonly OutboxItem[] => {
      if (!key.startsWith(this.#prefix) || key === this.#prefix + this.#page) return [];
      const kept = parseKept(readStored(local, key));
      const isOwn = key === ownKey;
      const isOwned = kept !== undefined && this.#clock.now() - kept.savedAtMs < ABANDONED_MS;
      if (isOwned && !isOwn) return [];
      writeStored(local, key, undefined);
      return kept?.items.map((item) => restored(item, isOwn)) ?? [];
    });
    return items.toSorted((one, other) => one.createdAtMs - other.createdAtMs);
  }

  /** Writes down what is on its way now. */
  save(items: readonly OutboxItem[]): void {
    this.#items = items.filter(({ at }) => at.phase !== 'accepted');
    this.#write();
  }

  /** The page is being left: whoever is loaded into its tab next has its messages. Not before: a tab can be copied. */
  leave(): void {
    if (this.#items.length > 0) writeStored(this.#storages.session, this.#prefix, this.#page);
  }

  /** The page is back as it was left. */
  comeBack(): void {
    writeStored(this.#storages.session, this.#prefix, undefined);
    this.#write();
  }

  [Symbol.dispose](): void {
    this.#stopHeartbeat?.();
  }

  #write(): void {
    this.#stopHeartbeat?.();
    const kept: Kept = { savedAtMs: this.#clock.now(), items: this.#items.map(keptItem) };
    const isEmpty = this.#items.length === 0;
    const text = isEmpty ? undefined : JSON.stringify(kept);
    writeStored(this.#storages.local, this.#prefix + this.#page, text);
    if (!isEmpty) this.#stopHeartbeat = this.#clock.after(HEARTBEAT_MS, () => this.#write());
  }
}

function keptItem({ key, author, content, createdAtMs, at }: OutboxItem): KeptItem {
  return { key, author, content, createdAtMs, isUnsent: at.phase === 'queued' };
}

function restored({ isUnsent, ...item }: KeptItem, isOwn: boolean): OutboxItem {
  // What another page wrote may be of another day: whoever is here now decides.
  const failed = { phase: 'failed', error: undefined, mayHaveBeenSent: !isUnsent } as const;
  return { ...item, at: isUnsent && isOwn ? { phase: 'queued' } : failed };
}

function keysOf(storage: Storage | undefined): readonly string[] {
  try {
    const count = storage?.length ?? 0;
    return Array.from({ length: count }, (_, index) => storage?.key(index) ?? '');
  } catch {
    return [];
  }
}

function parseKept(text: string | undefined): Kept | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isKept(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isKept(value: unknown): value is Kept {
  return (
    isRecord(value) &&
    typeof value['savedAtMs'] === 'number' &&
    Array.isArray(value['items']) &&
    value['items'].every(isKeptItem)
  );
}

function isKeptItem(value: unknown): value is KeptItem {
  return (
    isRecord(value) &&
    typeof value['key'] === 'string' &&
    typeof value['author'] === 'string' &&
    typeof value['content'] === 'string' &&
    typeof value['createdAtMs'] === 'number' &&
    typeof value['isUnsent'] === 'boolean'
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
