import { signal, type ReadonlySignal } from '@preact/signals';
import { parseId } from '@hearth/protocol';
import type { Client, Deletion, OwnUserPatch } from '@hearth/sdk';
import type { OwnUser } from '@hearth/protocol/schemas';
import type { Asked } from '../lib/asked.ts';
import type { Accounts } from './accounts.ts';

/** The part of the client that it needs. */
export type AccountSource = Pick<Client, 'me' | 'updateMe' | 'deleteMe' | 'requestEmailCode'> & {
  readonly files: Pick<Client['files'], 'upload'>;
  readonly totp: Pick<Client['totp'], 'begin' | 'confirm' | 'disable'>;
};

/** The part of the accounts of the browser that it needs. */
export type AccountKeeper = Pick<Accounts, 'learn' | 'forget'> & {
  readonly current: Pick<Accounts['current'], 'peek'>;
};

/** The reader's account: what the instance knows of it, and how to change that. All changes throw the errors of the SDK. */
export class OwnAccount {
  readonly #client: AccountSource;
  readonly #accounts: AccountKeeper;
  #settingsChanged: Promise<void> = Promise.resolve();
  readonly #user = signal<Asked<OwnUser>>({ state: 'loading' });

  constructor(client: AccountSource, accounts: AccountKeeper) {
    this.#client = client;
    this.#accounts = accounts;
  }

  get user(): ReadonlySignal<Asked<OwnUser>> {
    return this.#user;
  }

  /** Asks the instance, again if that failed. */
  async load(): Promise<void> {
    if (this.#user.peek().state === 'failed') this.#user.value = { state: 'loading' };
    try {
      await this.#learn(await this.#client.me());
    } catch (error) {
      this.#user.value = { state: 'failed', error };
    }
  }

  async change(patch: OwnUserPatch): Promise<OwnUser> {
    const user = await this.#client.updateMe(patch);
    await this.#learn(user);
    return user;
  }

  /** Changes settings by their names, one change after another, so that the last choice counts. */
  async changeSettings(settings: NonNullable<OwnUserPatch['settings']>): Promise<void> {
    const changed = this.#settingsChanged.then(() => this.change({ settings }));
    this.#settingsChanged = changed.then(
      () => {},
      () => {},
    );
    await changed;
  }

  /** Stores a picture for everyone to see. */
  async changePicture(picture: Blob): Promise<void> {
    const { id } = await this.#client.files.upload(picture, { name: 'picture' });
    const avatar = parseId(id);
    if (avatar !== undefined) await this.change({ avatar });
  }

  async sendEmailCode(): Promise<void> {
    await this.#client.requestEmailCode();
  }

  /** Begins to set up a second factor. */
  beginFactor(currentPassword: string): ReturnType<Client['totp']['begin']> {
    return this.#client.totp.begin({ current_password: currentPassword });
  }

  /** Puts the second factor into force; returns the recovery codes. */
  async confirmFactor(code: string): Promise<readonly string[]> {
    const codes = await this.#client.totp.confirm(code);
    // The codes are shown only once: nothing that comes after may fail or take long.
    void this.#setFactors(['totp']);
    return codes;
  }

  async removeFactor(currentPassword: string, code: string): Promise<void> {
    await this.#client.totp.disable({ current_password: currentPassword, code });
    void this.#setFactors([]);
  }

  /** Deletes the account. This browser forgets it, and the next page acts for a visitor. */
  async delete(deletion: Deletion): Promise<void> {
    const id = this.#accounts.current.peek()?.id;
    await this.#client.deleteMe(deletion);
    if (id !== undefined) await this.#accounts.forget(id);
  }

  /** Staff may have other permissions from now on, which only the instance knows. Never rejects. */
  async #setFactors(factors: OwnUser['factors']): Promise<void> {
    const asked = this.#user.peek();
    if (asked.state === 'there') {
      this.#user.value = { state: 'there', value: { ...asked.value, factors } };
    }
    await this.#client.me().then(
      (user) => this.#learn(user),
      () => {},
    );
  }

  async #learn(user: OwnUser): Promise<void> {
    this.#user.value = { state: 'there', value: user };
    // What the browser could not keep is asked for at the next start.
    await this.#accounts.learn(user).catch(() => {});
  }
}
