import { ClosedError, type Client, type ConnectionState, type ReceivedMessage } from '@hearth/sdk';
import type { Surroundings } from '../command.ts';
import { ConnectionNotices } from './connection-notices.ts';
import { follow, newestMessages, type FeedReader } from './feed.ts';
import { deletedJson, reactionJson, gapJson, updatedJson } from './line-format.ts';
import { LineWriter } from './line-writer.ts';
import { lineFormatter } from './message-lines.ts';
import type { MessageSource } from './message-source.ts';
import { sourceAt } from './source-at.ts';
import { whenAborted } from './when-aborted.ts';
import { withClient, type InstanceRequest } from './with-client.ts';

/** The arguments of `hearth tail`. */
export interface TailRequest extends InstanceRequest {
  readonly last: number;
  readonly follows: boolean;
  readonly asJson: boolean;
  /** The channel whose messages are printed; undefined for the lobby. */
  readonly place?: string | undefined;
}

type Printing = Pick<TailRequest, 'last' | 'asJson'> & {
  readonly source: MessageSource;
  readonly output: LineWriter;
  readonly warn: Surroundings['warn'];
  readonly lineOf: ReturnType<typeof lineFormatter>;
};

/** Prints messages until the output is no longer read. Resolves with the exit code. */
export function tail(
  { follows, place, ...request }: TailRequest,
  { warn, env, streams }: Surroundings,
): Promise<number> {
  return withClient(request, { warn, env }, async (client, account) => {
    const source = await sourceAt(client, place, account);
    const output = new LineWriter(streams.stdout);
    const { asJson } = request;
    const lineOf = lineFormatter(client, { isTerminal: streams.stdout.isTTY, asJson });
    const printing = { ...request, source, output, warn, lineOf };
    const failed = await (follows ? printAll(client, printing) : printLast(printing));
    return failed || (await output.finish(warn));
  });
}

async function printLast(printing: Printing): Promise<number> {
  print(await newestMessages(printing.source, printing.last), printing);
  return 0;
}

async function printAll(client: Client, printing: Printing): Promise<number> {
  const { source, last, asJson, output, warn } = printing;
  using listeners = new DisposableStack();
  const notices = new ConnectionNotices((notice) => warn(`hearth: ${notice}\n`));
  const { promise: end, resolve, reject } = Promise.withResolvers<number>();
  const onConnection = (state: ConnectionState) => {
    notices.connection(state);
    if (state.state === 'closed') resolve(1);
  };
  listeners.defer(client.on('connection', onConnection));
  listeners.defer(
    source.on('gap', (gap) => {
      notices.gap();
      if (asJson) output.write(gapJson(gap));
    }),
  );
  listeners.defer(
    source.on('closed', () => {
      warn('hearth: you no longer see this channel\n');
      resolve(1);
    }),
  );
  void whenAborted(output.ended).then(() => resolve(0));
  const reader: FeedReader = {
    show: (messages) => print(messages, printing),
    // A line of text cannot be taken back, and a line about a change would look like a message.
    update: (message) => asJson && output.write(updatedJson(message)),
    remove: (id) => asJson && output.write(deletedJson(id)),
    react: (change) => asJson && output.write(reactionJson(change)),
  };
  void follow(source, last, reader).catch((error: unknown) => {
    // The notices have reported it already.
    if (!(error instanceof ClosedError)) reject(error);
  });
  return await end;
}

function print(messages: readonly ReceivedMessage[], { output, lineOf }: Printing): void {
  output.write(messages.map((message) => lineOf(message, Date.now())).join(''));
}
