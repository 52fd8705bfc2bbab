import type { Goal, Row, Settings } from './benchmark.ts';
import { median } from './statistics.ts';
import type { RunningSubject, Subject } from './subjects/subject.ts';

/** What a load did in its turn. */
export interface Turn {
  readonly operations: number;
  /** CPU seconds that the load generator used. */
  readonly cpuSeconds: number;
}

/** A load on one subject, ready to run turn after turn. */
export interface Load extends AsyncDisposable {
  /** Does what must not be measured. To be called before each turn. */
  prepare(): Promise<void>;
  run(milliseconds: number): Promise<Turn>;
}

/** Subjects that do the same work side by side. */
export interface Comparison {
  readonly work: string;
  /** What an operation is called. */
  readonly operation: string;
  /** What the ratio is of: operations a second, or the server's CPU an operation. */
  readonly measure: 'rate' | 'cpu';
  readonly ours: Subject;
  /** What ours is compared with; those that are not installed are undefined. */
  readonly yardsticks: readonly (Subject | undefined)[];
  /** Of the ratio to the first yardstick. */
  readonly goal?: Goal;
  readonly load: (running: RunningSubject, subject: Subject) => Promise<Load>;
}

/** A turn with what it took. */
export interface Sample extends Turn {
  readonly seconds: number;
  /** CPU seconds of the server. */
  readonly serverSeconds: number;
}

/** What a subject did in all of its turns, whichever of its processes took them. */
interface Track {
  readonly subject: Subject;
  readonly samples: Sample[];
  /** Of each process, at its end. */
  readonly residentBytes: number[];
}

/** A process of a subject. */
interface Lane {
  readonly track: Track;
  readonly running: RunningSubject;
  readonly load: Load;
}

const MICROSECONDS_A_SECOND = 1e6;

/** Two processes of one program can differ by a tenth for as long as they run, so each subject has several in turn. */
const PROCESSES = 2;

/**
 * Lets the subjects work in turn, many short turns each, so that whatever else the machine does meets all of them, and
 * in a circle, because a turn behind one of the same subject is cheaper: all that it needs is in the processor's cache.
 * Figures are medians of the turns; a ratio is the median of those of turns that followed each other.
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

/** Starts a process of each subject, and lets them take so many turns. */
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

/** Lets a load work for a turn. Throws where nothing was done in it. */
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
