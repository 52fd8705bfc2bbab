import { newNonce, type SdkClock } from '@hearth/sdk';
import { readStored, writeStored, type Storages } from '../../lib/storage.ts';
import type { OutboxItem } from './outbox-item.ts';

/** A page with messages on their way stores them at least this often, even though hidden pages are slowed down. */
const HEARTBEAT_MS = 20_000;

/** A record that was not stored again for this long has no owner any more. */
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
  /** True if it had not been sent at all. */
  readonly isUnsent: boolean;
}

/**
 * Keeps the messages of an outbox over reloads and crashes. Every page has its own record, so that two pages of one
 * instance do not send each other's messages. The next page takes over a record that no page owns any more.
 */
export class OutboxStore implements Disposable {
  readonly #storages: Storages;
  readonly #prefix: string;
  readonly #clock: SdkClock;
  #page: string;
  #items: readonly OutboxItem[] = [];
  #stopHeartbeat: (() => void) | undefined;

  /** `instance` identifies the instance, because one origin may have had several. */
  constructor(storages: Storages, instance: string, clock: SdkClock) {
    this.#storages = storages;
    this.#prefix = `hearth.outbox.${instance}.`;
    this.#clock = clock;
    this.#page = newNonce();
  }

  /** The messages that this page before a reload, or an abandoned page, had on their way; the oldest first. */
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

  /** Stores the messages that are on their way. */
  save(items: readonly OutboxItem[]): void {
    this.#items = items.filter(({ at }) => at.phase !== 'accepted');
    this.#write();
  }

  /** The page is being left: the next page in its tab takes its messages. Not earlier, because a tab can be copied. */
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
  // Another page's messages may be old: the reader of this page decides.
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
