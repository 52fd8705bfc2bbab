export { addChannel } from './create-channel.ts';
export { requireKind } from './channel-fields.ts';
export { seenChannels } from './list-channels.ts';
