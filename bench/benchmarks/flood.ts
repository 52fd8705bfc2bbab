import type { Benchmark, Row, Settings } from '../benchmark.ts';
import { HttpLoad } from '../load/http-load.ts';
import { MESSAGE_BODY } from '../load/message.ts';
import { median } from '../statistics.ts';
import { HEARTH } from '../subjects/hearth.ts';
import type { RunningSubject } from '../subjects/subject.ts';

const CONNECTIONS = 32;
const SECONDS = { settled: 10, whole: 60 };
const SHORT_SECONDS = { settled: 0.2, whole: 0.6 };

/** The garbage collector makes memory go up and down all the time. */
const SAMPLES = 9;
const SAMPLE_MS = 200;
const SHORT_SAMPLE_MS = 10;

/** Measures whether the memory of the instance grows during a flood of posts. */
export const FLOOD: Benchmark = {
  name: 'flood',
  about: 'resident memory after 60 s of POST /messages against after the first 10 s',
  async *run(settings) {
    yield await flood(settings);
  },
};

async function flood({ isShort }: Settings): Promise<Row> {
  const { settled, whole } = isShort ? SHORT_SECONDS : SECONDS;
  await using running = await HEARTH.start();
  const request = { method: 'POST', path: '/messages', body: MESSAGE_BODY } as const;
  await using load = new HttpLoad({ ...request, port: running.ports.rest }, CONNECTIONS);
  await load.prepare();
  const sampleMs = isShort ? SHORT_SAMPLE_MS : SAMPLE_MS;
  const samplingMs = SAMPLES * sampleMs;
  const watch = async () => {
    await Bun.sleep(settled * 1_000);
    const before = await usualResidentBytes(running, sampleMs);
    await Bun.sleep((whole - settled) * 1_000 - samplingMs);
    return { before, after: await usualResidentBytes(running, sampleMs) };
  };
  const flooding = load.run(whole * 1_000 + samplingMs);
  const [{ operations }, { before, after }] = await Promise.all([flooding, watch()]);
  return {
    work: `${operations.toLocaleString('en')} posts in ${whole} s`,
    subject: HEARTH.name,
    value: after / before,
    unit: `of the memory after ${settled} s`,
    residentBytes: after,
    goal: { most: 1.1 },
  };
}

async function usualResidentBytes(running: RunningSubject, sampleMs: number): Promise<number> {
  const samples: number[] = [];
  while (samples.length < SAMPLES) {
    samples.push(running.residentBytes);
    await Bun.sleep(sampleMs);
  }
  return median(samples);
}
