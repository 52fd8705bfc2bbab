import { join } from 'node:path';
import { z } from 'zod';
import { descriptorLimit, descriptorShares } from '../../../server/src/runtime/descriptor-limit.ts';

/** The request to the process of a fleet: to report when every client has received this many payloads in total. */
export const fleetRequestSchema = z.object({ payloads: z.int() });

/** The report of a fleet's process: how many clients there are of each kind. */
export const fleetReportSchema = z.object({
  about: z.enum(['connected', 'received', 'closed']),
  /** The number of clients by the sequence that they received, or by how they were closed. */
  clients: z.record(z.string(), z.int()),
});

type Report = z.infer<typeof fleetReportSchema>;

/** As many clients as a large instance has, or as many as this process may serve. */
export const FLEET_SIZE = Math.min(2_000, descriptorShares(descriptorLimit()).admitted - 50);

/** A name for the sequence that follows from an earlier one by adding `text`. The empty sequence is ''. */
export function sequenceName(earlier: string, text: string): string {
  return Bun.hash(earlier + text).toString(36);
}

/** Many documented clients of a gateway, in a separate process. */
export class ClientFleet implements AsyncDisposable {
  readonly size: number;
  readonly #process: Bun.Subprocess;
  readonly #reports = new Map<Report['about'], PromiseWithResolvers<Report['clients']>>();

  private constructor(url: string, size: number) {
    this.size = size;
    this.#process = Bun.spawn(
      [process.execPath, join(import.meta.dir, 'client-fleet-process.ts'), url, String(size)],
      {
        stdio: ['ignore', 'inherit', 'inherit'],
        ipc: (message: unknown) => {
          const { about, clients } = fleetReportSchema.parse(message);
          this.#report(about).resolve(clients);
        },
      },
    );
  }

  /** Starts the process and resolves when all clients are connected. */
  static async connect(url: string, size: number): Promise<ClientFleet> {
    const fleet = new ClientFleet(url, size);
    await fleet.#report('connected').promise;
    return fleet;
  }

  /** Resolves when every client has received `payloads` in total: with the sequences, and how many clients have each. */
  received(payloads: number): Promise<Report['clients']> {
    this.#reports.delete('received');
    this.#process.send({ payloads } satisfies z.infer<typeof fleetRequestSchema>);
    return this.#report('received').promise;
  }

  /** Resolves when all clients were closed: with the ways they were closed, and how many clients each. */
  closed(): Promise<Report['clients']> {
    return this.#report('closed').promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill();
    await this.#process.exited;
  }

  #report(about: Report['about']): PromiseWithResolvers<Report['clients']> {
    const known = this.#reports.get(about);
    if (known !== undefined) return known;
    const report = Promise.withResolvers<Report['clients']>();
    this.#reports.set(about, report);
    return report;
  }
}
