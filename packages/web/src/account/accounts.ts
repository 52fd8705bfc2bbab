import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Id, OwnUser } from '@hearth/protocol';
import type { TokenStorage } from '@hearth/sdk';
import type { KeptStorage } from '../lib/kept-storage.ts';
import { readStored, writeStored } from '../lib/storage.ts';

type StorageEvents = Pick<Window, 'addEventListener' | 'removeEventListener'>;

/** The value that is stored in place of the account in use until the next one is. */
const CHOOSING = '';

/** An account that somebody has signed in to in this browser. */
export interface KeptAccount {
  readonly id: Id;
  readonly username: string;
  readonly displayName: string | undefined;
  readonly avatar: Id | undefined;
  /** True if it may delete the messages of others. */
  readonly isModerator: boolean;
  /** Undefined if its session has ended. */
  readonly token: string | undefined;
}

/** The facts that the instance reports about the reader. */
type KnownUser = Pick<
  OwnUser,
  'id' | 'username' | 'display_name' | 'avatar' | 'staff_permissions' | 'needs_factor'
>;

/** The place where the accounts of one instance are kept. */
export interface AccountsOptions {
  /** Has the tokens. */
  readonly storage: KeptStorage;
  /** Has the identifier of the account in use: visitors need no database. */
  readonly local: Storage | undefined;
  /** The address of the instance, which separates its accounts from those of others. */
  readonly instanceUrl: string;
  /** The name of a visitor. */
  readonly visitorName: ReadonlySignal<string>;
}

/** The accounts of this browser. A page acts for one of them, or for a visitor, until it is loaded again. */
export class Accounts implements TokenStorage {
  /** The name of the reader: the account's username, or the name that a visitor has chosen. */
  readonly name: ReadonlySignal<string>;
  readonly #options: AccountsOptions;
  readonly #current = signal<KeptAccount | undefined>(undefined);

  constructor(options: AccountsOptions) {
    this.#options = options;
    this.name = computed(() => this.#current.value?.username ?? options.visitorName.value);
  }

  /** Separates what the account in use has in this browser from what other accounts, and visitors, have. */
  get ownKey(): string {
    const id = this.#current.peek()?.id;
    return id === undefined ? this.#options.instanceUrl : this.#keyOf(id);
  }

  /** The account in use; undefined for a visitor. */
  get current(): ReadonlySignal<KeptAccount | undefined> {
    return this.#current;
  }

  /** Reads the account in use. If the browser forbids that, the reader is a visitor. */
  async load(): Promise<void> {
    const id = readStored(this.#options.local, this.#currentKey);
    if (id === undefined) return;
    const kept = await this.#kept(id).catch(() => undefined);
    this.#current.value = kept;
  }

  /** All accounts of this browser, in no particular order. */
  async list(): Promise<readonly KeptAccount[]> {
    const values = await this.#options.storage.list(`${this.#options.instanceUrl} `);
    return values.filter(isKeptAccount);
  }

  /** Keeps an account that somebody has just signed in to. */
  async keep(account: KeptAccount): Promise<void> {
    await this.#options.storage.write(this.#keyOf(account.id), account);
    if (account.id === this.#current.peek()?.id) this.#current.value = account;
  }

  /** Keeps what is known of an account now, with the token that it has. */
  async learn(user: KnownUser): Promise<void> {
    const account = this.#current.peek();
    if (account?.id !== user.id) return;
    await this.#change(account, ({ token }) => keptAccount(user, token));
  }

  /** Forgets an account. */
  async forget(id: Id): Promise<void> {
    await this.#options.storage.remove(this.#keyOf(id));
    if (readStored(this.#options.local, this.#currentKey) === id) this.use(undefined);
  }

  /** Lets pages that are loaded from now on act for an account, or for a visitor. */
  use(id: Id | undefined): void {
    // Pages whose session of this account has ended notice only a change.
    if (id !== undefined) writeStored(this.#options.local, this.#currentKey, CHOOSING);
    writeStored(this.#options.local, this.#currentKey, id);
  }

  /**
   * Calls `listener` when another page of this browser chooses another account, or the account whose session has ended here;
   * returns a function that stops it.
   */
  onUse(listener: () => void, page: StorageEvents = window): () => void {
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key !== this.#currentKey || newValue === CHOOSING) return;
      const current = this.#current.peek();
      const isOther = (newValue ?? undefined) !== current?.id;
      const hasEnded = current !== undefined && current.token === undefined;
      if (isOther || hasEnded) listener();
    };
    page.addEventListener('storage', onStorage);
    return () => page.removeEventListener('storage', onStorage);
  }

  read(refused?: string): string | undefined | Promise<string | undefined> {
    const account = this.#current.peek();
    if (account === undefined || refused === undefined) return account?.token;
    // Another page may have renewed it.
    return this.#change(account, (kept) => kept);
  }

  async write(token: string | undefined): Promise<void> {
    const account = this.#current.peek();
    if (account === undefined) return;
    // The next request need not wait for the database.
    if (token !== undefined) this.#current.value = { ...account, token };
    await this.#change(account, (kept) => {
      // Another page has a newer one.
      const isOther = token === undefined && kept.token !== account.token;
      return isOther ? kept : { ...kept, token };
    });
  }

  /** Changes what the database has of the account in use, unless another page has forgotten it. Returns the token. */
  async #change(
    account: KeptAccount,
    change: (kept: KeptAccount) => KeptAccount,
  ): Promise<string | undefined> {
    const changed = await this.#options.storage.change(this.#keyOf(account.id), (kept) =>
      isKeptAccount(kept) ? change(kept) : undefined,
    );
    this.#current.value = isKeptAccount(changed) ? changed : { ...account, token: undefined };
    return this.#current.value.token;
  }

  get #currentKey(): string {
    return `hearth.account ${this.#options.instanceUrl}`;
  }

  #keyOf(id: string): string {
    return `${this.#options.instanceUrl} ${id}`;
  }

  async #kept(id: string): Promise<KeptAccount | undefined> {
    const kept = await this.#options.storage.read(this.#keyOf(id));
    return isKeptAccount(kept) ? kept : undefined;
  }
}

function isKeptAccount(value: unknown): value is KeptAccount {
  return typeof value === 'object' && value !== null && 'id' in value && 'username' in value;
}

/** An account with a token, as it is kept. */
export function keptAccount(user: KnownUser, token: string | undefined): KeptAccount {
  const { id, username, display_name: displayName, avatar, needs_factor: needsFactor } = user;
  const permissions = user.staff_permissions ?? [];
  const isModerator = needsFactor !== true && permissions.includes('HANDLE_REPORTS');
  return { id, username, displayName, avatar, isModerator, token };
}
