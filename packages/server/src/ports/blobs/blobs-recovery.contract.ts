import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { readContentText } from '@hearth/testing/ports/stored-content';
import type { CreateStore, TestStore } from '@hearth/testing/ports/test-store';
import type { Blobs, BlobWriter, IsRecorded } from './blobs.ts';

/** The steps of a writer, at any of which its process may be killed. */
const steps = ['create', 'write', 'seal', 'record', 'release'] as const;
type Step = (typeof steps)[number];

/** Returns whether the content must be kept: it was recorded. */
const isKept = (last: Step) => last === 'record' || last === 'release';

/** A process that writes contents until it is killed. Its writers are then abandoned until the end of the test. */
class KilledProcess implements AsyncDisposable {
  readonly #blobs: Blobs;
  readonly #writers = new Map<string, BlobWriter>();
  readonly recorded = new Set<string>();

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  /** Moves a content one step further. */
  async run(content: string, step: Step | 'discard'): Promise<void> {
    if (step === 'create') this.#writers.set(content, await this.#blobs.create());
    const writer = this.#writers.get(content);
    if (writer === undefined) throw new Error(`${content} was not started`);
    if (step === 'write') await writer.write(new TextEncoder().encode(content));
    if (step === 'seal') await writer.seal();
    if (step === 'record') this.recorded.add(writer.key);
    if (step === 'release') await writer.release();
    if (step === 'discard') await writer.discard();
  }

  /** Replaces the bytes of one content by those of another. */
  async restore(content: string, as: string, isRecorded: IsRecorded): Promise<void> {
    await this.#writers.get(content)?.restore(this.key(as), isRecorded);
  }

  async runUpTo(content: string, last: Step): Promise<void> {
    for (const step of steps.slice(0, steps.indexOf(last) + 1)) await this.run(content, step);
  }

  key(content: string): string {
    return this.#writers.get(content)?.key ?? '';
  }

  /** Releases what the system would free if a process were really killed, such as open files. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const writer of this.#writers.values()) await writer.discard();
  }
}

/** Opens the store again and recovers it; returns the keys that recovery asked for. */
async function restart(
  store: TestStore,
  recorded: ReadonlySet<string>,
): Promise<readonly string[]> {
  await using blobs = await store.open();
  const asked: string[] = [];
  await blobs.recover((key) => {
    asked.push(key);
    return Promise.resolve(recorded.has(key));
  });
  return asked;
}

/** Expects these contents in the store, each under its key, and nothing else. */
async function expectOnly(
  store: TestStore,
  killed: KilledProcess,
  contents: readonly string[],
): Promise<void> {
  await using blobs = await store.open();
  for (const content of contents) {
    expect(await readContentText(blobs, killed.key(content))).toBe(content);
  }
  expect(await store.list()).toHaveLength(contents.length);
}

/** Proves what every engine promises about the contents of a killed process. */
export function recoveryContract(create: CreateStore): void {
  test.each([...steps])(
    'after a kill following %s, recovery keeps only a recorded content',
    async (last) => {
      await using store = await create();
      await using killed = new KilledProcess(await store.open());
      await killed.runUpTo('killed', last);
      await restart(store, killed.recorded);
      await expectOnly(store, killed, isKept(last) ? ['killed'] : []);
      await restart(store, killed.recorded);
      await expectOnly(store, killed, isKept(last) ? ['killed'] : []);
    },
  );

  test('recovery of an empty store asks for no key', async () => {
    await using store = await create();
    expect(await restart(store, new Set())).toEqual([]);
  });

  test('recovery skips contents that were released or discarded', async () => {
    await using store = await create();
    await using killed = new KilledProcess(await store.open());
    await killed.runUpTo('released', 'release');
    await killed.runUpTo('discarded', 'seal');
    await killed.run('discarded', 'discard');
    await killed.runUpTo('begun', 'seal');
    const asked = await restart(store, killed.recorded);
    expect(new Set(asked)).toEqual(new Set([killed.key('begun')]));
  });

  test('an interrupted recovery is completed by the next one', async () => {
    await using store = await create();
    await using killed = new KilledProcess(await store.open());
    for (const last of steps) await killed.runUpTo(last, last);
    let asked = 0;
    const interrupted = (await store.open()).recover((key) => {
      asked += 1;
      if (asked === 2) throw new Error('killed again');
      return Promise.resolve(killed.recorded.has(key));
    });
    expect(await interrupted.catch((error: unknown) => String(error))).toContain('killed again');
    await restart(store, killed.recorded);
    await expectOnly(store, killed, ['record', 'release']);
  });

  test('nothing is left under a key that is no longer recorded when its bytes are restored', async () => {
    await using store = await create();
    await using killed = new KilledProcess(await store.open());
    await killed.runUpTo('content', 'release');
    await killed.runUpTo('same', 'seal');
    await killed.restore('same', 'content', async () => false);
    await killed.run('same', 'discard');
    expect(await store.list()).toEqual([]);
  });

  test.each([true, false])(
    'after a kill while bytes are restored, recovery keeps them if their key is recorded (%p)',
    async (isRecorded) => {
      await using store = await create();
      await using killed = new KilledProcess(await store.open());
      await killed.runUpTo('damaged', 'release');
      await killed.runUpTo('whole', 'seal');
      const end = killed.restore('whole', 'damaged', () => Promise.reject(new Error('killed')));
      expect(await end.catch(String)).toContain('killed');
      const recorded = isRecorded ? [killed.key('damaged')] : [];
      await restart(store, new Set(recorded));
      await using blobs = await store.open();
      for (const key of recorded) expect(await readContentText(blobs, key)).toBe('whole');
      expect(await store.list()).toHaveLength(recorded.length);
    },
  );

  test('a store can be written to directly after its recovery', async () => {
    await using store = await create();
    await using killed = new KilledProcess(await store.open());
    await killed.runUpTo('old', 'seal');
    await using blobs = await store.open();
    await blobs.recover(() => Promise.resolve(false));
    await using after = new KilledProcess(blobs);
    await after.runUpTo('new', 'release');
    await expectOnly(store, after, ['new']);
  });

  test('whatever several writers did before their process was killed, recovery keeps what is recorded', async () => {
    const writer = fc.record({ last: fc.constantFrom(...steps), isDiscarded: fc.boolean() });
    const schedule = fc.record({
      writers: fc.array(writer, { minLength: 1, maxLength: 5 }),
      turns: fc.infiniteStream(fc.nat({ max: 4 })),
    });
    const property = fc.asyncProperty(schedule, async ({ writers, turns }) => {
      await using store = await create();
      await using killed = new KilledProcess(await store.open());
      const scripts = writers.map(({ last, isDiscarded }, index) => ({
        content: `content ${index}`,
        // A recorded content is never discarded, but released.
        isKept: isKept(last),
        left: [
          ...steps.slice(0, steps.indexOf(last) + 1),
          ...(isDiscarded && !isKept(last) ? (['discard'] as const) : []),
        ],
      }));
      for (let running = scripts; running.length > 0;) {
        const script = running[(turns.next().value ?? 0) % running.length];
        const step = script?.left.shift();
        if (script !== undefined && step !== undefined) await killed.run(script.content, step);
        running = running.filter(({ left }) => left.length > 0);
      }
      await restart(store, killed.recorded);
      const kept = scripts.filter((script) => script.isKept).map(({ content }) => content);
      await expectOnly(store, killed, kept);
    });
    await fc.assert(property, { numRuns: 40 });
  });
}
