import { HearthError, type ChannelClient, type Client } from '@hearth/sdk';

/** A message that the bot may answer. */
export interface Heard {
  readonly content: string;
  readonly isOwn: boolean;
  /** Posts a reply to it. */
  answer(text: string): Promise<unknown>;
}

/** The messages of the lobby, from now on. */
export async function* lobbyMessages(client: Client, signal: AbortSignal): AsyncGenerator<Heard> {
  for await (const message of client.messages({ signal })) {
    const { content, isOwn } = message;
    yield { content, isOwn, answer: (text) => message.reply(text) };
  }
}

/** The messages of a channel, such as `garden/general`, from now on. The client has to be open. */
export function channelMessages(
  client: Client,
  { place, signal }: { readonly place: string; readonly signal: AbortSignal },
): AsyncGenerator<Heard> {
  const [slug, name] = place.split('/');
  const community = client.communities.all().find((each) => each.slug === slug);
  const found = community?.channels.find((each) => each.name === name);
  if (found === undefined) throw new HearthError(`The bot's account has no channel ${place}`);
  return heardIn(client.channel(found.id), signal);
}

async function* heardIn(channel: ChannelClient, signal: AbortSignal): AsyncGenerator<Heard> {
  channel.on('gap', () => console.error('Some messages were missed'));
  for await (const { id, content, isOwn } of channel.messages({ signal })) {
    yield { content, isOwn, answer: (text) => channel.reply({ id }, text) };
  }
}
