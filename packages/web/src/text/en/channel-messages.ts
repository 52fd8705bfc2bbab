/** The texts about messages of channels. They come with their views. */
export const enChannelMessages = {
  pin: 'Pin',
  unpin: 'Unpin',
  tooManyPins: 'A channel has at most 100 pinned messages.',
  pins: 'Pinned messages',
  noPins: 'Nothing is pinned here yet. You find “Pin” in the menu of a message, if you may pin.',
  jump: 'Show in the conversation',
  files: (count: number, shown: string) => (count === 1 ? '1 file' : `${shown} files`),
  versions: 'Earlier versions',
  now: 'Now',
  until: (when: string) => `Until ${when}`,
  moreVersions: 'Show older ones',
  noText: 'No text',
  select: 'Select messages',
  selected: (count: number, shown: string) =>
    count === 1 ? '1 message selected' : `${shown} messages selected`,
  full: 'That is the most that can be deleted at once.',
  remove: 'Delete',
  cancel: 'Cancel',
  removeTitle: (count: number, shown: string) =>
    count === 1 ? 'Delete 1 message?' : `Delete ${shown} messages?`,
  removeText: 'Nobody will be able to see them any more. This cannot be undone.',
  reachTitle: (shown: string) => `Notify ${shown} people?`,
  reachText: (shown: string) => `This message mentions ${shown} people. They will all be notified.`,
  atLeast: (shown: string) => `${shown} or more`,
  send: 'Send',
};
