import type { Goal, Row, Settings } from './benchmark.ts';
import { median } from './statistics.ts';
import type { RunningSubject, Subject } from './subjects/subject.ts';

/** The work and cost of a load in its turn. */
export interface Turn {
  readonly operations: number;
  /** CPU seconds that the load generator used. */
  readonly cpuSeconds: number;
}

/** A load on one subject that can run turn after turn. */
export interface Load extends AsyncDisposable {
  /** Does the work that must not be measured. To be called before each turn. */
  prepare(): Promise<void>;
  run(milliseconds: number): Promise<Turn>;
}

/** Subjects that do the same work side by side. */
export interface Comparison {
  readonly work: string;
  /** The name of an operation. */
  readonly operation: string;
  /** The figure that the ratio compares: operations per second, or the server's CPU time per operation. */
  readonly measure: 'rate' | 'cpu';
  readonly ours: Subject;
  /** The subjects that Hearth is compared with; a yardstick that is not installed is undefined. */
  readonly yardsticks: readonly (Subject | undefined)[];
  /** The goal for the ratio to the first yardstick. */
  readonly goal?: Goal;
  readonly load: (running: RunningSubject, subject: Subject) => Promise<Load>;
}

/** A turn with its costs. */
export interface Sample extends Turn {
  readonly seconds: number;
  /** CPU seconds that the server used. */
  readonly serverSeconds: number;
}

/** The work and cost of a subject in all of its turns, in whichever of its processes. */
interface Track {
  readonly subject: Subject;
  readonly samples: Sample[];
  /** The memory of each process at its end. */
  readonly residentBytes: number[];
}

interface Lane {
  readonly track: Track;
  readonly running: RunningSubject;
  readonly load: Load;
}

const MICROSECONDS_A_SECOND = 1e6;

/** Two processes of one program can permanently differ by a tenth, so each subject has several in turn. */
const PROCESSES = 2;

/**
 * Lets the subjects work in many short turns, so that other activity on the machine affects all of them. The subjects take
 * their turns in a circle, because a second turn of the same subject would find its data in the processor's cache. Figures
 * are medians of the turns. A ratio is the median of the ratios of consecutive turns.
 */
export async function* compare(comparison: Comparison, settings: Settings): AsyncGenerator<Row> {
  const tracks = [comparison.ours, ...comparison.yardsticks]
    .filter((subject) => subject !== undefined)
    .map((subject): Track => ({ subject, samples: [], residentBytes: [] }));
  const processes = Math.min(settings.isShort ? 1 : PROCESSES, settings.rounds);
  for (let started = 0; started < processes; started += 1) {
    const rounds = Math.ceil((settings.rounds - started) / processes);
    await takeTurns(comparison, tracks, { ...settings, rounds });
  }
  const [ours] = tracks;
  for (const track of tracks) yield row(comparison, track, ours);
}

/** Starts a process of each subject, and lets each of them take some turns. */
async function takeTurns(
  comparison: Comparison,
  tracks: readonly Track[],
  settings: Settings,
): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const lanes: Lane[] = [];
  for (const track of tracks) {
    const running = resources.use(await track.subject.start());
    const load = resources.use(await comparison.load(running, track.subject));
    await load.prepare();
    await load.run(settings.warmUpMs);
    lanes.push({ track, running, load });
  }
  for (let round = 0; round < settings.rounds; round += 1) {
    for (const lane of lanes) lane.track.samples.push(await takeTurn(lane, settings.sliceMs));
  }
  for (const { track, running } of lanes) track.residentBytes.push(running.residentBytes);
}

/** Lets a load work for a turn. Throws if nothing was done in it. */
export async function takeTurn(
  { running, load }: Pick<Lane, 'running' | 'load'>,
  milliseconds: number,
): Promise<Sample> {
  await load.prepare();
  const cpuBefore = running.cpuSeconds;
  const startedAt = performance.now();
  const turn = await load.run(milliseconds);
  const seconds = (performance.now() - startedAt) / 1_000;
  if (turn.operations === 0) throw new Error('nothing was done in a whole turn');
  return { ...turn, seconds, serverSeconds: running.cpuSeconds - cpuBefore };
}

function row(comparison: Comparison, track: Track, ours: Track | undefined): Row {
  const { work, operation, measure, goal, yardsticks } = comparison;
  const of = (figure: (sample: Sample) => number) => median(track.samples.map(figure));
  const ratios =
    ours === undefined || track === ours
      ? undefined
      : ours.samples.map(
          (sample, at) => score(sample, measure) / score(track.samples[at], measure),
        );
  const first = yardsticks.find((yardstick) => yardstick !== undefined);
  return {
    work,
    subject: track.subject.name,
    value: of(({ operations, seconds }) => operations / seconds),
    unit: `${operation}/s`,
    cpuMicroseconds: of((sample) => score(sample, 'cpu')),
    serverCores: of(({ serverSeconds, seconds }) => serverSeconds / seconds),
    loadCores: of(({ cpuSeconds, seconds }) => cpuSeconds / seconds),
    residentBytes: median(track.residentBytes),
    ...(ratios === undefined ? {} : { ratio: median(ratios) }),
    ...(track.subject === first && goal !== undefined ? { goal } : {}),
  };
}

function score(sample: Sample | undefined, measure: Comparison['measure']): number {
  if (sample === undefined) throw new RangeError('a turn is missing');
  const { operations, seconds, serverSeconds } = sample;
  if (measure === 'rate') return operations / seconds;
  return (serverSeconds / operations) * MICROSECONDS_A_SECOND;
}
