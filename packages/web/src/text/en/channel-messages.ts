/** The texts about messages of channels. They come with their views. */
export const enChannelMessages = {
  makePost: 'Make a post of this message',
  pin: 'Pin',
  unpin: 'Unpin',
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
  levels: {
    open: 'Notifications',
    title: (place: string) => `Notifications from ${place}`,
    label: 'Notify me of',
    names: {
      inherit: 'As in the community',
      all: 'All messages',
      mentions: 'Mentions and replies',
      none: 'Nothing',
    },
    hints: {
      inherit: (level: string) => `Now: ${level}`,
      all: 'Every message while you are looking elsewhere.',
      mentions: 'Messages that mention you, one of your roles or everyone, and replies to you.',
      none: 'Unread messages and mentions are still marked.',
    },
    muted: 'This is muted. You get no notifications from here until you unmute it.',
  },
  inbox: {
    title: 'Mentions and replies',
    none: 'Nobody has mentioned you or replied to you yet.',
    unread: (count: number, shown: string) =>
      `Mentions and replies, ${count === 1 ? '1 is' : `${shown} are`} unread`,
    mentioned: {
      message: (name: string) => `${name} mentioned you`,
      post: (name: string) => `${name} mentioned you in a post`,
      comment: (name: string) => `${name} mentioned you in a comment`,
    },
    replied: {
      message: (name: string) => `${name} replied to you`,
      post: (name: string) => `${name} replied to you`,
      comment: (name: string) => `${name} replied to you in a comment`,
    },
    readAll: 'Mark all as read',
    more: 'Show older ones',
  },
};
