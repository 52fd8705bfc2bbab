import type { Goal, Row, Settings } from '../benchmark.ts';
import { takeTurn, type Load, type Sample } from '../compare.ts';
import { median } from '../statistics.ts';
import type { RunningSubject } from '../subjects/subject.ts';

const MICROSECONDS_A_SECOND = 1e6;

/** Requests for pages that are measured beside others. */
export interface Lane {
  readonly subject: string;
  readonly running: RunningSubject;
  readonly load: Load;
  readonly samples: Sample[];
  readonly goal?: Goal | undefined;
}

/** The lanes, and the goal of all but the first one that have none of their own. */
export interface LaneSettings extends Settings {
  readonly work: string;
  readonly goal?: Goal | undefined;
}

/** Lets the lanes take turns, and compares the processor time of each request with that of the first lane. */
export async function* takeLanes(
  lanes: readonly [page: Lane, ...others: Lane[]],
  settings: LaneSettings,
): AsyncGenerator<Row> {
  for (const { load } of lanes) {
    await load.prepare();
    await load.run(settings.warmUpMs);
  }
  for (let round = 0; round < settings.rounds; round += 1) {
    for (const lane of lanes) lane.samples.push(await takeTurn(lane, settings.sliceMs));
  }
  const [page] = lanes;
  for (const lane of lanes) yield rowOf(lane, page, settings);
}

function rowOf(lane: Lane, page: Lane, { work, goal: ofAll }: LaneSettings): Row {
  const { subject, samples, goal = ofAll } = lane;
  const ratios = samples.map((sample, at) => cpuOf(sample) / cpuOf(page.samples[at]));
  return {
    work,
    subject,
    value: median(samples.map(({ operations, seconds }) => operations / seconds)),
    unit: 'requests/s',
    cpuMicroseconds: median(samples.map(cpuOf)),
    ...(lane === page ? {} : { ratio: median(ratios), ...(goal !== undefined && { goal }) }),
  };
}

/** Returns the cost of a request, in microseconds of the processor. */
export function cpuOf(sample: Sample | undefined): number {
  if (sample === undefined) throw new RangeError('a turn is missing');
  return (sample.serverSeconds / sample.operations) * MICROSECONDS_A_SECOND;
}
