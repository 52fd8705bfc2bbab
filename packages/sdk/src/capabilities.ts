import type { Capabilities, Feature } from '@hearth/protocol';
import { receivedCapabilities } from '@hearth/protocol/received';
import type { Api } from './api.ts';
import type { SdkClock } from './clock.ts';
import { mayPass, NetworkError } from './errors.ts';
import { Guard } from './guard.ts';
import type { RequestOptions } from './types.ts';

/** Returns what the instance can do. */
export function describeCapabilities(
  api: Api,
  { signal }: RequestOptions = {},
): Promise<Capabilities> {
  return api.request({
    method: 'GET',
    path: '/capabilities',
    limit: 'read',
    answers: receivedCapabilities,
    signal,
  });
}

/** The time that a caller waits for the instance's answer. */
const MOST_WAITING_MS = 15_000;

/** The means to ask an instance what it can do. */
export interface AbilitiesOptions {
  readonly api: Api;
  /** The `version` of the instance. */
  readonly version: string;
  readonly clock: SdkClock;
  /** The capabilities that are known already. */
  readonly known: Capabilities | undefined;
  /** Aborted when no more request is to be made. */
  readonly life: AbortSignal;
}

/**
 * The known abilities of an instance. A server of the documented interface is never asked: its version has no build
 * metadata (`+…`, Semantic Versioning 10). Any other instance is asked once. If it does not answer as Hearth does, only
 * the documented half is used. If it could not answer, it is asked again when that matters.
 */
export class Abilities {
  readonly #options: AbilitiesOptions;
  #known: Capabilities | undefined;
  #isSettled: boolean;
  /** The request that is in flight. */
  #question: Promise<void> | undefined;
  #wasAsked = false;
  /** True if a caller waited in vain. */
  #isSlow = false;
  /** Why it is not settled. */
  #failure: unknown;

  constructor(options: AbilitiesOptions) {
    this.#options = options;
    this.#known = options.known;
    this.#isSettled = options.known !== undefined || !options.version.includes('+');
  }

  /** The instance's answer; undefined if there is none yet, or if it offers only the documented interface. */
  get known(): Capabilities | undefined {
    return this.#known;
  }

  /** True if it does not have to be asked any more. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** True if it offers more than the documented interface, or may do so. */
  get mayOfferMore(): boolean {
    return this.#known !== undefined || !this.#isSettled;
  }

  /** Why the instance could not be reached when it was asked last, if it may offer more than the documented interface. */
  get unreachable(): NetworkError | undefined {
    const isUnknown = !this.#isSettled && !this.#isSlow;
    return isUnknown && this.#failure instanceof NetworkError ? this.#failure : undefined;
  }

  /** The address at which everyone opens the web client; undefined if the instance does not name a valid one. */
  get webUrl(): string | undefined {
    const url = this.#known?.web_url;
    return url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined;
  }

  has(feature: Feature): boolean {
    return this.#known?.features.includes(feature) ?? false;
  }

  speaks(profile: number): boolean {
    return this.#known?.profiles.includes(profile) ?? false;
  }

  /** Waits, for a limited time, until the instance has been asked once. Throws only if it is aborted. */
  async ready(signal?: AbortSignal): Promise<void> {
    if (!this.#wasAsked) await this.learn(signal);
  }

  /** Waits like `ready`, but asks again if the instance could not answer. Returns the error if it still cannot. */
  async learn(signal?: AbortSignal): Promise<unknown> {
    if (this.#isSettled) return undefined;
    // The request may still be answered.
    if (this.#isSlow) return this.#failure;
    this.#question ??= this.#ask();
    const { clock, life } = this.#options;
    const guard = new Guard({ clock, timeoutMs: MOST_WAITING_MS, signals: [signal, life] });
    try {
      await guard.race(this.#question);
    } catch (error) {
      if (signal?.aborted === true || life.aborted) throw error;
      this.#failure = error;
      this.#isSlow = true;
    } finally {
      guard.end();
    }
    this.#wasAsked = true;
    return this.#failure;
  }

  async #ask(): Promise<void> {
    const { api, life } = this.#options;
    try {
      this.#known = await describeCapabilities(api, { signal: life });
      this.#isSettled = true;
    } catch (error) {
      this.#isSettled = !mayPass(error);
      this.#failure = error;
    }
    if (this.#isSettled) this.#failure = undefined;
    this.#question = undefined;
    this.#isSlow = false;
  }
}
