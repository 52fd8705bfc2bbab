export { addChannel } from './add-channel.ts';
export { requireKind } from './channel-fields.ts';
export { seenChannels } from './list-channels.ts';
