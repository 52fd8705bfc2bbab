import { expect, test } from 'bun:test';
import { NameResolver, type NameResolverOptions } from './name-resolver.ts';

/** A resolver whose look-ups end when the test says so. */
function resolver(options: Partial<NameResolverOptions> = {}) {
  const asked: string[] = [];
  const waiting = new Map<string, PromiseWithResolvers<readonly string[]>>();
  const lookUp = (name: string) => {
    asked.push(name);
    const answer = Promise.withResolvers<readonly string[]>();
    waiting.set(name, answer);
    return answer.promise;
  };
  const names = new NameResolver({ lookUp, timeoutMs: 60_000, ...options });
  const answer = (name: string) => waiting.get(name)?.resolve([`address of ${name}`]);
  /** Begins to resolve, and resolves when that has got as far as it does without an answer. */
  const begin = async (name: string) => {
    const found = names.resolve(name);
    found.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve));
    return { found };
  };
  return { names, asked, answer, begin };
}

test('[OC5] names of one domain are looked up one after another, and those of others meanwhile', async () => {
  const { asked, answer, begin } = resolver();
  const [a, b, other] = [
    await begin('a.silent.example'),
    await begin('b.silent.example'),
    await begin('a.other.example'),
  ];
  // Everybody may register below these suffixes.
  for (const name of ['one.co.uk', 'two.co.uk', 'one.github.io', 'two.github.io']) {
    await begin(name);
  }
  const begun = ['a.silent.example', 'a.other.example'];
  const registered = ['one.co.uk', 'two.co.uk', 'one.github.io', 'two.github.io'];
  expect(asked).toEqual([...begun, ...registered]);
  answer('a.silent.example');
  expect(await a.found).toEqual(['address of a.silent.example']);
  answer('a.other.example');
  await other.found;
  expect(asked.at(-1)).toBe('b.silent.example');
  answer('b.silent.example');
  expect(await b.found).toEqual(['address of b.silent.example']);
});

test('[OC5] a name that is not found in time fails, and until its look-up ends all of its domain do at once', async () => {
  const { names, asked, answer, begin } = resolver({ timeoutMs: 1 });
  await expect(names.resolve('a.silent.example')).rejects.toThrow('no answer within 1 ms');
  await expect(names.resolve('b.silent.example')).rejects.toThrow('do not answer');
  expect(asked).toEqual(['a.silent.example']);
  answer('a.silent.example');
  await begin('b.silent.example');
  expect(asked).toEqual(['a.silent.example', 'b.silent.example']);
});

test('[OC5] the look-ups that run at once and the callers that wait are bounded', async () => {
  const { names, answer, begin } = resolver({ mostAtOnce: 2, mostCallers: 3 });
  const first = await begin('a.one.example');
  await begin('b.one.example');
  await begin('a.two.example');
  await expect(names.resolve('a.three.example')).rejects.toThrow('too many');
  answer('a.one.example');
  await first.found;
  const { names: few, begin: beginFew } = resolver({ mostAtOnce: 1 });
  await beginFew('a.one.example');
  await expect(few.resolve('a.two.example')).rejects.toThrow('too many');
});

test('[OC5] the bound on callers also holds if all of them come at once', async () => {
  const { names } = resolver({ mostCallers: 2, timeoutMs: 1 });
  const ends = await Promise.allSettled(
    ['one', 'two', 'three', 'four'].map((name) => names.resolve(`${name}.example`)),
  );
  const refused = ends.filter((end) => end.status === 'rejected' && /too many/.test(end.reason));
  expect(refused).toHaveLength(2);
});

test('[OC5] a look-up that fails makes room for the next one of its domain', async () => {
  let count = 0;
  const lookUp = async () => {
    if ((count += 1) === 1) throw new Error('no such name');
    return ['1.1.1.1'];
  };
  const names = new NameResolver({ lookUp });
  await expect(names.resolve('a.one.example')).rejects.toThrow('no such name');
  expect(await names.resolve('b.one.example')).toEqual(['1.1.1.1']);
});
