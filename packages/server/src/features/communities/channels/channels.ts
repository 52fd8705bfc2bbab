export { addChannel } from './add-channel.ts';
export { requireKind } from './channel-fields.ts';
export { channelOfMember } from './channel-of-member.ts';
export { seenChannels } from './list-channels.ts';
