import { expect, test } from 'bun:test';
import { NetworkError, ValidationError } from '@hearth/sdk';
import { Submissions } from './submissions.ts';

/** Submissions to an instance that answers with these, one after the other. */
function submissionsTo(answers: (Error | string)[], waitsMs: readonly number[] = [1, 2, 3, 4]) {
  const asked: string[] = [];
  const outbox = new Submissions({
    send: async (input: string, nonce) => {
      asked.push(`${input} ${nonce}`);
      const answer = answers.shift() ?? new NetworkError('no answer');
      if (answer instanceof Error) throw answer;
      return answer;
    },
    waitsMs,
    wait: async () => {},
    nonce: () => `nonce ${asked.length}`,
  });
  return { outbox, asked };
}

test('[WC202] what is sent shows at once, and is sent again with the same nonce if nothing was answered', async () => {
  const gone = new NetworkError('gone');
  const { outbox, asked } = submissionsTo([gone, gone, 'made']);
  const posted = outbox.send('Oaks');
  expect(outbox.pending.value.map(({ input }) => input)).toEqual(['Oaks']);
  expect(await posted).toBe('made');
  expect(asked).toEqual(['Oaks nonce 0', 'Oaks nonce 0', 'Oaks nonce 0']);
  expect(outbox.pending.value).toEqual([]);
});

test('[WC202] what is not answered five times stays, with the reason', async () => {
  const { outbox, asked } = submissionsTo([]);
  await expect(outbox.send('Oaks')).rejects.toThrow('no answer');
  expect(asked).toEqual(Array.from({ length: 5 }, () => 'Oaks nonce 0'));
  expect(outbox.pending.value).toMatchObject([
    { input: 'Oaks', error: new NetworkError('no answer') },
  ]);
});

test('[WC202] what is refused stays with its reason, and can be sent again', async () => {
  const refusal = new ValidationError('no', { fieldName: 'title', error: 'no' });
  const { outbox, asked } = submissionsTo([refusal, 'made']);
  await expect(outbox.send('Oaks')).rejects.toBe(refusal);
  const [failed] = outbox.pending.value;
  if (failed === undefined) return expect.unreachable();
  expect(failed).toMatchObject({ error: refusal, key: 'nonce 0' });
  expect(await outbox.retry(failed)).toBe('made');
  expect(asked).toEqual(['Oaks nonce 0', 'Oaks nonce 0']);
  expect(outbox.pending.value).toEqual([]);
});

test('[WC189] what has failed keeps its nonce if the same is sent again, and something else gets another', async () => {
  const gone = new NetworkError('gone');
  const { outbox, asked } = submissionsTo([gone, gone, 'made'], []);
  await expect(outbox.send('Well said')).rejects.toThrow('gone');
  await expect(outbox.send('Well')).rejects.toThrow('gone');
  expect(await outbox.send('Well said')).toBe('made');
  expect(asked).toEqual(['Well said nonce 0', 'Well nonce 1', 'Well said nonce 0']);
  expect(outbox.pending.value.map(({ input }) => input)).toEqual(['Well']);
});
