export type { SolvedChallenge } from './proof-of-work.ts';

import {
  ValidationError,
  type Proof,
  type ProofChallenge,
  type ProofMode,
  type Capabilities,
} from '@hearth/protocol';
import type { Clock } from '../../../lib/clock.ts';
import type { Database, Transaction } from '../../../ports/database/database.ts';
import type { Context } from '../../../context.ts';
import { within } from '../../../lib/within.ts';
import { Secret } from '../../platform/settings/settings.ts';
import { checkProof, newChallenge, type SolvedChallenge } from './proof-of-work.ts';
import { countRegistrations, spendChallenge } from './store.ts';

/** The time in milliseconds that the database may take. */
const ANSWER_MS = 1_000;

/** The setting with the key that challenges are signed with. */
const KEY_SETTING = 'registration_proof_key';

/** This many registrations on the whole instance within {@link LOAD_MS} are more than usual. */
export const LOAD = 20;
const LOAD_MS = 10 * 60_000;

/** The time in milliseconds for which a process relies on its last count of registrations. */
const COUNTED_MS = 5_000;

/**
 * The time in milliseconds for which a process asks for proofs before it insists on them: by then all processes have
 * counted again, and hand out challenges.
 */
const NOTICE_MS = 3 * COUNTED_MS;

export interface ProofsOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** When proofs are asked for: never, always, or if more people register than usual. */
  readonly when: ProofMode;
  /** For tests. */
  readonly bits?: number;
}

/** The proofs of work that people need to register. */
export class Proofs {
  readonly #options: ProofsOptions;
  readonly #key: Secret;
  #countedAtMs = -Infinity;
  /** Since when more people register than usual; infinite if they do not. */
  #busySinceMs = Infinity;

  constructor(options: ProofsOptions) {
    this.#options = options;
    this.#key = new Secret(options.database, KEY_SETTING);
  }

  /** A new challenge, if proofs are asked for. Throws what the database throws. */
  async challenge(): Promise<ProofChallenge | undefined> {
    const { clock, when, bits } = this.#options;
    if (when === 'off' || (await this.#busyForMs()) < 0) return undefined;
    return newChallenge(await this.#key.read(), {
      nowMs: clock.unixMs(),
      ...(bits !== undefined && { bits }),
    });
  }

  /**
   * The challenge that `proof` solves, for {@link spend}; undefined if no proof is needed. Throws ValidationError, and what
   * the database throws.
   */
  async require(proof: Proof | undefined): Promise<SolvedChallenge | undefined> {
    const { clock, when } = this.#options;
    if (when === 'off') return undefined;
    if (proof === undefined) {
      if ((await this.#busyForMs()) < NOTICE_MS) return undefined;
      throw new ValidationError('proof', 'is needed: GET /capabilities has a new challenge');
    }
    const checked = checkProof(await this.#key.read(), proof, clock.unixMs());
    if (typeof checked === 'string') throw new ValidationError('proof', checked);
    return checked;
  }

  /** Spends a challenge with the registration. Throws ValidationError if it was spent before. */
  async spend(tx: Transaction, { id, expiresAtMs }: SolvedChallenge): Promise<void> {
    const nowMs = this.#options.clock.unixMs();
    if (await spendChallenge(tx.sql, id, { expiresAtMs, nowMs })) return;
    throw new ValidationError('proof', 'has been used: GET /capabilities has a new challenge');
  }

  /** For how long proofs have been asked for; negative if they are not. */
  async #busyForMs(): Promise<number> {
    const { database, clock, when } = this.#options;
    if (when === 'on') return Infinity;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#countedAtMs >= COUNTED_MS) {
      this.#countedAtMs = nowMs;
      const since = { nowMs: clock.unixMs(), withinMs: LOAD_MS, upTo: LOAD };
      const isBusy = (await countRegistrations(database.reader, since)) >= LOAD;
      this.#busySinceMs = isBusy ? Math.min(this.#busySinceMs, nowMs) : Infinity;
    }
    return nowMs - this.#busySinceMs;
  }
}

export interface KeepsProofs {
  readonly proofs: Proofs;
}

/** The proof that registering needs now, if any. */
export async function describeProof({
  settings,
  proofs,
}: Pick<Context, 'settings'> & KeepsProofs): Promise<Pick<Capabilities, 'proof'>> {
  if (settings.registration === 'closed') return {};
  // Without the database nobody can register, but clients can use the rest.
  const proof = await within(proofs.challenge(), ANSWER_MS);
  return proof === undefined ? {} : { proof };
}
