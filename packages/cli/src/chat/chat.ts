import type { Client } from '@hearth/sdk';
import { SESSION_ENDED } from '../accounts/refusals.ts';
import type { Surroundings } from '../command.ts';
import { inLine } from '../text.ts';
import { isName, NAME_RULE, readChatCommand } from './chat-commands.ts';
import type { Face } from './face.ts';
import { LineFace } from './line-face.ts';
import { openAddress } from './open-address.ts';
import type { MessageSource } from './message-source.ts';
import { Rooms } from './rooms.ts';
import { Screen } from './screen.ts';
import { sourceAt } from './source-at.ts';
import { canMoveCursor } from './status-line.ts';
import type { UploadFileOptions } from './upload-file.ts';
import { whenAborted } from './when-aborted.ts';
import {
  missingAccount,
  missingName,
  reasonOf,
  withClient,
  type Account,
  type InstanceRequest,
} from './with-client.ts';

/** The arguments of `hearth chat`. Without a name, the chat asks for one. */
export interface ChatRequest extends InstanceRequest, Pick<UploadFileOptions, 'openFile'> {
  readonly name: string | undefined;
  /** The channel where it begins; undefined for the lobby. */
  readonly place?: string | undefined;
}

/** The two ends of a chat. */
interface Ends {
  readonly client: Client;
  /** Undefined for a guest. */
  readonly account: Account | undefined;
  /** The place where it begins. */
  readonly source: MessageSource;
  readonly face: Face;
  /** The lines that are typed, until the user leaves. */
  readonly typed: AsyncGenerator<string, undefined>;
  readonly left: AbortSignal;
}

/** Runs a chat on an instance until the user leaves. Resolves with the exit code. */
export function chat(request: ChatRequest, surroundings: Surroundings): Promise<number> {
  return withClient(request, surroundings, async (client, account) => {
    const { place } = request;
    const { stdin, stdout } = surroundings.streams;
    // What comes from a pipe is to be sent.
    if (place !== undefined && account === undefined && !(stdin.isTTY && stdout.isTTY)) {
      return missingAccount(client, surroundings.warn);
    }
    const source = await sourceAt(client, place, account);
    const face = openFace(client, surroundings);
    let failed = 0;
    try {
      const signedOut = new AbortController();
      // What is typed from then on would be sent as a guest.
      client.on('tokenRefused', () => signedOut.abort());
      const ends = [surroundings.listenForStop(), face.left, signedOut.signal];
      const left = AbortSignal.any(ends);
      const typed = typedUntil(left, face.typed);
      const chatEnds: Ends = { client, account, source, face, left, typed };
      failed = await talk(chatEnds, request, surroundings.env['HOME']);
      if (signedOut.signal.aborted) {
        face.notice(SESSION_ENDED);
        failed = 1;
      }
    } finally {
      failed ||= await face.finish();
    }
    return failed;
  });
}

function openFace({ info, files }: Client, surroundings: Surroundings): Face {
  const { streams, env } = surroundings;
  const hasCursor = streams.stdin.isTTY && canMoveCursor(streams.stdout, env);
  if (hasCursor) return new Screen(surroundings, (address) => files.idOf(address));
  // Twice the limit, because a character may need two UTF-16 units.
  return new LineFace(surroundings, info.message_limit * 2 + 1);
}

async function talk(chatEnds: Ends, request: ChatRequest, home?: string): Promise<number> {
  const { client, account, source, face, typed, left } = chatEnds;
  const where = inLine(client.info.instance_name);
  if (face.isInteractive) face.notice(`${where}: type /help for a list of commands`);
  else if (request.name === undefined && account === undefined) {
    return missingName(client, (text) => face.notice(text.trim()));
  }
  const author = account?.username ?? request.name ?? (await askedName(face, typed));
  if (author === undefined) return 0;
  const { openFile } = request;
  using rooms = new Rooms({ client, account, source, face, author, openFile });
  const hasLeft = whenAborted(left);
  const begun = rooms.begin();
  // Messages of a pipe could come back before anything listens. A person need not wait for that.
  if (!face.isInteractive) await Promise.race([begun, hasLeft]);
  for await (const line of typed) {
    if (line.trim() === '') continue;
    if (!face.isInteractive) {
      rooms.conversation.say(line);
      // The next line is read only when this one has been sent.
      await Promise.race([rooms.sent(), hasLeft]);
      continue;
    }
    // The next line is for the place to which this one may lead.
    const next = await Promise.race([obey(line, { rooms, account, face, home }), hasLeft]);
    if (next === 'leave') break;
  }
  const { unsent } = rooms;
  if (face.isInteractive && unsent > 0 && !left.aborted) {
    face.notice(`waiting to send ${unsent} more; Ctrl-C cancels`);
  }
  await Promise.race([rooms.settled(), hasLeft]);
  if (left.aborted) rooms.drop();
  await rooms.sent();
  await rooms.marked();
  return !face.isInteractive && rooms.failures > 0 ? 1 : 0;
}

interface Obedient {
  readonly rooms: Rooms;
  readonly account: Account | undefined;
  readonly face: Face;
  readonly home: string | undefined;
}

async function obey(
  line: string,
  { rooms, account, face, home }: Obedient,
): Promise<'stay' | 'leave'> {
  const { conversation } = rooms;
  const command = readChatCommand(line, home);
  switch (command.kind) {
    case 'say':
      conversation.say(command.text);
      return 'stay';
    case 'upload':
      conversation.share(command.path);
      return 'stay';
    case 'rename':
      if (account === undefined) conversation.rename(command.name);
      else face.notice(`you are signed in as ${account.username}: --as-guest takes other names`);
      return 'stay';
    case 'open':
      void open(conversation.lastAddress(command.count), face);
      return 'stay';
    case 'edit':
      conversation.changes.edit(command.text);
      return 'stay';
    case 'delete':
      conversation.changes.delete();
      return 'stay';
    case 'reply':
      conversation.reply(command.count, command.text);
      return 'stay';
    case 'react':
      conversation.changes.react(command.emoji, command.count);
      return 'stay';
    case 'reveal':
      conversation.reveal();
      return 'stay';
    case 'join':
      await rooms.join(command.place);
      return 'stay';
    case 'channels':
      await rooms.list();
      return 'stay';
    case 'clear':
      face.clear();
      return 'stay';
    case 'notice':
      face.notice(command.text);
      return 'stay';
    case 'quit':
      return 'leave';
  }
}

async function open(address: string | undefined, face: Face): Promise<void> {
  if (address === undefined) {
    face.notice('no such file or link was shown');
    return;
  }
  try {
    await openAddress(address);
    face.notice(`opening ${address}`);
  } catch (error) {
    face.notice(`cannot open ${address} (${reasonOf(error)})`);
  }
}

async function askedName(face: Face, typed: Ends['typed']): Promise<string | undefined> {
  for (;;) {
    face.setPrompt('Your name: ');
    const { value, done } = await typed.next();
    if (done === true) return undefined;
    const name = value.trim();
    if (isName(name)) return name;
    face.notice(NAME_RULE);
  }
}

async function* typedUntil(
  left: AbortSignal,
  lines: Face['typed'],
): AsyncGenerator<string, undefined> {
  const end = whenAborted(left).then(() => undefined);
  for (;;) {
    const next = await Promise.race([end, lines.next()]);
    if (next === undefined || next.done === true) return undefined;
    yield next.value;
  }
}
