import type { Load, Turn } from '../compare.ts';
import { percentile } from '../statistics.ts';
import type { RunningSubject } from '../subjects/subject.ts';
import { LongestHalt } from './longest-halt.ts';
import { Resumers, type Resumption } from './resumers.ts';
import { SocketFleet, type Pace } from './socket-fleet.ts';

/** The rate of posts while everyone is connected, and while clients come back. */
const FLOWING: Pace = { postsPerSecond: 20 };

/** The rate of posts while the disconnected clients are away. */
const AWAY_POSTS_A_SECOND = 1_000;

/** The longest time that a resumption and its posts may take. */
const MOST_MS = 30_000;

/** The clients, and what happens to them. */
export interface ResumeScene {
  /** Clients of profile 1, which are disconnected and resume. */
  readonly clients: number;
  /** Clients of the documented gateway, which stay connected. */
  readonly documented: number;
  /** Events that happen while the clients are away. */
  readonly missed: number;
  /** The time that posts flow before that. */
  readonly calmMs: number;
}

/** The figures of one resumption. Latencies are from the time that a post was due until the documented listeners get it. */
export interface ResumeFigures {
  /** Milliseconds until all clients were current. */
  readonly milliseconds: number;
  /** CPU seconds of the server until then. */
  readonly serverSeconds: number;
  readonly worstLatencyMs: number;
  /** The worst latency before that, while everyone was connected. */
  readonly calmWorstLatencyMs: number;
  /** The longest time that the load itself was busy: this much of the latency may be its own. */
  readonly longestHaltMs: number;
}

/** Clients that all resume at once while posts flow. An operation is an event that one of them receives. */
export class ResumeLoad implements Load {
  /** One for each turn. */
  readonly figures: ResumeFigures[] = [];
  readonly #running: RunningSubject;
  readonly #scene: ResumeScene;
  readonly #fleet: SocketFleet;
  readonly #resumers: Resumers;
  #calmWorstLatencyMs = 0;

  private constructor(
    parts: { readonly running: RunningSubject; readonly scene: ResumeScene },
    fleet: SocketFleet,
    resumers: Resumers,
  ) {
    this.#running = parts.running;
    this.#scene = parts.scene;
    this.#fleet = fleet;
    this.#resumers = resumers;
  }

  static async connect(running: RunningSubject, scene: ResumeScene): Promise<ResumeLoad> {
    await using resources = new AsyncDisposableStack();
    const { ports } = running;
    const fleet = await SocketFleet.connect(ports, { sockets: scene.documented }, FLOWING);
    resources.use(fleet);
    const resumers = await Resumers.connect(ports.gateway, scene.clients, () => fleet.posted);
    resources.move();
    return new ResumeLoad({ running, scene }, fleet, resumers);
  }

  /** Lets posts flow for a while, disconnects the clients, and posts the messages that they will miss. */
  async prepare(): Promise<void> {
    await this.#fleet.prepare();
    this.#fleet.pace = FLOWING;
    await this.#fleet.run(this.#scene.calmMs);
    this.#calmWorstLatencyMs = this.#worstLatencyMs();
    this.#resumers.throwOut();
    this.#fleet.pace = { postsPerSecond: AWAY_POSTS_A_SECOND };
    await this.#fleet.run((this.#scene.missed / AWAY_POSTS_A_SECOND) * 1_000);
    this.#fleet.pace = FLOWING;
  }

  /** One resumption, however long it takes. */
  async run(): Promise<Turn> {
    using halt = new LongestHalt();
    const cpuBefore = this.#running.cpuSeconds;
    const resumed = Promise.withResolvers<Resumption & { readonly serverSeconds: number }>();
    const resume = async () => {
      const resumption = await this.#resumers.resume();
      resumed.resolve({ ...resumption, serverSeconds: this.#running.cpuSeconds - cpuBefore });
    };
    const { cpuSeconds } = await this.#fleet.runWhile(resume, MOST_MS);
    const { milliseconds, serverSeconds, events } = await resumed.promise;
    this.figures.push({
      milliseconds,
      serverSeconds,
      worstLatencyMs: this.#worstLatencyMs(),
      calmWorstLatencyMs: this.#calmWorstLatencyMs,
      longestHaltMs: halt.milliseconds,
    });
    return { operations: events, cpuSeconds };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resumers[Symbol.asyncDispose]();
    await this.#fleet[Symbol.asyncDispose]();
  }

  #worstLatencyMs(): number {
    return percentile(this.#fleet.latencies.all, 100);
  }
}
