import { expect, test } from 'bun:test';
import { formatId, type NewPost, type Post } from '@hearth/protocol';
import { NetworkError, ValidationError } from '@hearth/sdk';
import { EMPTY_DRAFT } from './post-draft.ts';
import { PostOutbox } from './post-outbox.ts';

const id = formatId({ seconds: 1, instanceId: 1, sequence: 1 });
const sent = {
  channel: id,
  place: `new.${id}`,
  draft: { ...EMPTY_DRAFT, title: 'Oaks' },
} as const;

/** An outbox to an instance that answers with these, one after the other. */
function outboxTo(answers: (Error | Partial<Post>)[]) {
  const asked: NewPost[] = [];
  const outbox = new PostOutbox({
    create: async (_, post) => {
      asked.push(post);
      const answer = answers.shift();
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no answer');
      // Guarantee: the outbox passes on what it is given.
      return answer as Post;
    },
    wait: async () => {},
    nonce: () => `nonce ${asked.length}`,
    now: () => 0,
  });
  return { outbox, asked };
}

test('[WC202] a post shows at once, and is sent again with the same nonce if nothing was answered', async () => {
  const { outbox, asked } = outboxTo([new NetworkError('gone'), new NetworkError('gone'), { id }]);
  const posted = outbox.send(sent);
  expect(outbox.pending.value.map(({ draft }) => draft.title)).toEqual(['Oaks']);
  expect(await posted).toMatchObject({ id });
  expect(asked.map(({ nonce }) => nonce)).toEqual(['nonce 0', 'nonce 0', 'nonce 0']);
  expect(outbox.pending.value).toEqual([]);
});

test('[WC202] a post that is refused stays with its reason, and can be sent again', async () => {
  const refusal = new ValidationError('no', { fieldName: 'title', error: 'no' });
  const { outbox, asked } = outboxTo([refusal, { id }]);
  expect(await outbox.send(sent)).toBeUndefined();
  expect(outbox.pending.value).toMatchObject([{ error: refusal, nonce: 'nonce 0' }]);
  expect(await outbox.retry('nonce 0')).toMatchObject({ id });
  expect(asked.map(({ nonce }) => nonce)).toEqual(['nonce 0', 'nonce 0']);
  expect(outbox.pending.value).toEqual([]);
});
