import { formatId, ValidationError, type Proof, type ProofChallenge } from '@hearth/protocol';
import { fakeClock, type FakeClock } from '@hearth/testing/fake-clock';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { solveProof } from '@hearth/testing/solve-proof';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Database } from '../../../ports/database/database.ts';
import { NO_PERMISSIONS } from '../users/staff-permissions.ts';
import { insertUser } from '../users/store.ts';
import { PROOF_BITS, zeroBits } from './proof-of-work.ts';
import { LOAD, Proofs } from './proofs.ts';

onEachDatabase((open) => {
  describe('proofs', () => {
    let database: TestDatabase;
    let clock: FakeClock;
    beforeEach(async () => {
      database = await open();
      clock = fakeClock(1_800_000_000_000);
    });
    afterEach(() => database[Symbol.asyncDispose]());

    const proofs = (when: 'off' | 'on' | 'automatic', of: Database = database) =>
      new Proofs({ database: of, clock, when, bits: 6 });

    async function challengeOf(subject: Proofs): Promise<ProofChallenge> {
      const challenge = await subject.challenge();
      if (challenge === undefined) throw new Error('no proof is asked for');
      return challenge;
    }

    const wrongOf = (work: Promise<unknown>) =>
      work.then(
        () => 'nothing',
        (error: unknown) =>
          error instanceof ValidationError && error.data?.['field_name'] === 'proof'
            ? error.data['error']
            : error,
      );

    /** Requires a proof and spends it, as a registration does. */
    const spent = async (subject: Proofs, proof: Proof, at: Database = database) => {
      const solved = await subject.require(proof);
      if (solved === undefined) throw new Error('no proof was needed');
      await at.transaction((tx) => subject.spend(tx, solved));
    };

    async function addUsers(count: number): Promise<void> {
      await database.transaction(async ({ sql }) => {
        for (let at = 0; at < count; at += 1) {
          const createdAtMs = clock.unixMs();
          const id = formatId({ seconds: createdAtMs, instanceId: 1, sequence: at });
          await insertUser(sql, {
            ...{
              id,
              username: id,
              display_name: '',
              email: '',
              email_key: null,
              password_hash: '',
            },
            ...{ state: 'active', staff_permissions: NO_PERMISSIONS, created_at_ms: createdAtMs },
          });
        }
      });
    }

    test('[AC55] a challenge is new each time, has a text, bits and an end, and every process accepts its solution once', async () => {
      const [one, other] = [proofs('on'), proofs('on')];
      const challenge = await challengeOf(one);
      expect(challenge).toEqual({
        challenge: expect.stringMatching(/^v1\.6\.\w+\.[\w-]{22}\.[\w-]{43}$/),
        bits: 6,
        expires_at: clock.unixMs() + 30 * 60_000,
      });
      expect((await challengeOf(one)).challenge).not.toBe(challenge.challenge);
      const proof = solveProof(challenge);
      await spent(other, proof);
      expect(await wrongOf(spent(one, proof))).toStartWith('has been used');
      await spent(one, solveProof(await challengeOf(other)));
    });

    test('[AC55] the difficulty is one that a phone needs about a second for', async () => {
      expect(PROOF_BITS).toBe(17);
      const subject = new Proofs({ database, clock, when: 'on' });
      expect((await challengeOf(subject)).bits).toBe(PROOF_BITS);
    });

    test('[AC55] a missing, wrong, late or forged proof is refused, and so is one that is easier than asked', async () => {
      const subject = proofs('on');
      expect(await wrongOf(subject.require(undefined))).toStartWith('is needed');
      // With the few bits of the others, each 64th wrong nonce would solve it.
      const hard = new Proofs({ database, clock, when: 'on' });
      const wrong = { challenge: (await challengeOf(hard)).challenge, nonce: 'x' };
      expect(await wrongOf(hard.require(wrong))).toBe('does not solve its challenge');
      const challenge = await challengeOf(subject);
      const [, , ...rest] = challenge.challenge.split('.');
      const easier = { challenge: ['v1', '0', ...rest].join('.'), bits: 0, expires_at: 0 };
      for (const forged of [easier, { ...challenge, challenge: 'v1.6.a.b.c' }]) {
        expect(await wrongOf(subject.require(solveProof({ ...forged, bits: 6 })))).toBe(
          'has a challenge that is not of this server',
        );
      }
      const solved = solveProof(challenge);
      clock.advance(30 * 60_000);
      expect(await wrongOf(subject.require(solved))).toBe('has a challenge that has expired');
    });

    test('[AC55] one challenge registers one account, even if two processes accept it at the same time', async () => {
      await using again = await database.openAgain();
      const processes = [database, again, database, again];
      const proof = solveProof(await challengeOf(proofs('on')));
      const racing = processes.map((at) => spent(proofs('on', at), proof, at));
      const settled = await Promise.allSettled(racing);
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    test('[AC55] proofs are never asked for if they are off, and a proof that is sent is ignored', async () => {
      const subject = proofs('off');
      expect(await subject.challenge()).toBeUndefined();
      expect(await subject.require({ challenge: 'any', nonce: 'any' })).toBeUndefined();
    });

    test('[AC55] automatically, proofs are asked for while more people register than usual, and needed shortly after', async () => {
      const subject = proofs('automatic');
      await addUsers(LOAD - 1);
      expect(await subject.challenge()).toBeUndefined();
      clock.advance(6_000);
      await addUsers(1);
      const challenge = await challengeOf(subject);
      expect(await subject.require(undefined)).toBeUndefined();
      clock.advance(16_000);
      expect(await wrongOf(subject.require(undefined))).toStartWith('is needed');
      await spent(subject, solveProof(challenge));
      // Ten minutes after the last of them, it is over.
      clock.advance(600_000);
      expect(await subject.challenge()).toBeUndefined();
      expect(await subject.require(undefined)).toBeUndefined();
    });

    test('[AC55] spent challenges are forgotten once they are not accepted any more', async () => {
      const subject = proofs('on');
      await spent(subject, solveProof(await challengeOf(subject)));
      clock.advance(30 * 60_000);
      await spent(subject, solveProof(await challengeOf(subject)));
      const rows = await database.reader.selectFrom('spent_proofs').selectAll().execute();
      expect(rows).toHaveLength(1);
    });
  });
});

test.each([
  [[0x80], 0],
  [[0x01], 7],
  [[0, 0x40], 9],
  [[0, 0], 16],
])('[AC55] the bytes %p begin with %p zero bits', (bytes, bits) => {
  expect(zeroBits(Uint8Array.from(bytes))).toBe(bits);
});
