import type { NounDescription } from './noun.ts';

const to = 'Everyone who follows the lobby.';

/** Parameters that a search and the count of what it finds have in common. */
const SEARCH_FIELDS = {
  in: '`lobby`, the id of one channel, or `all`: the lobby and all communities of the caller.',
  community: 'A community, all of whose channels that the caller sees are searched.',
  from: 'The name of the person who wrote it.',
  has: 'What the text has to contain, besides words.',
  before: 'Only what is older than this id.',
  after: 'Only what is newer than this id.',
};

export const lobby: NounDescription = {
  title: 'The lobby, and the search',
  about:
    'The lobby is the one conversation that all people of an instance share, if the owner has not switched it off. Guests post there with a name of their choice, people with an account as themselves. The search finds messages of the lobby and of channels, posts and comments, and counts them.',
  tags: ['messages'],
  fields: {
    id: 'The message.',
    author:
      'The name of the person who posted it: one that a guest chose, or the username that the account had then.',
    content: 'The text, in Markdown.',
    emoji: 'One Unicode emoji, without variation selectors; percent-encoded in a path.',
    count: 'How many people reacted with it.',
    mine: 'Whether the caller reacted with it. Events never have it.',
    user_id: 'The person who reacted, or took a reaction back.',
    version:
      'Grows with each change of the text or of the reactions. A message that was never changed has none.',
  },
  objects: {
    message: [
      'A message as the documented interface has it.',
      { author: 'The name of the person who posts it.' },
    ],
    postedMessage: [
      'What a guest posts.',
      {
        author: 'The name that others see.',
        nonce:
          'A text that comes back to the client that posted the message, on gateways of profile 1.',
      },
    ],
    userMessage: 'What somebody with a token posts. An `author` is ignored.',
    lobbyMessage: [
      'A message of the lobby.',
      {
        user: 'The account that posted it. Absent for a guest.',
        attachments:
          'The files of this instance whose addresses are in the text, in that order. Absent if there are none.',
        reactions: 'What people reacted with, the first kind first. Absent if there are none.',
      },
    ],
    messageChange: 'A new text for a message.',
    messageList: 'A page of messages, the newest first.',
    messageQuery: [
      'Which messages of a conversation to return. Without a place, it is the newest ones.',
      {
        after: 'The messages right after this one. The answer still has the newest first.',
        before: 'The newest messages before this one.',
        around: 'The messages around this one, with it in the middle.',
      },
    ],
    reaction: 'One kind of reaction to a message.',
    reactedQuery: [
      'Which of the people who reacted or voted to return, the newest account first.',
      {
        after: 'Only people whose id is greater than this one.',
        before: 'Only people whose id is smaller than this one.',
      },
    ],
    searchQuery: [
      'What to search for. At least one word, `from` or `has` narrows the search.',
      {
        q: 'The words that are searched. The last one may be incomplete, and words in quotation marks follow each other.',
        kind: 'What is searched: one kind, or `all` of them together. Without it, a search of all places finds all kinds, and any other one `messages`.',
        ...SEARCH_FIELDS,
      },
    ],
    facetsQuery: [
      'What to count. The parameters are those of a search without `limit`.',
      {
        q: 'The words that are searched, as in a search.',
        kind: 'What is counted: one kind, or `all` of them together, which is the default.',
        ...SEARCH_FIELDS,
      },
    ],
    searchFacets: [
      'Counts of what a search finds, by kind, place and author. They are those of the newest 1,000 things that it finds.',
      {
        total: 'How many things were counted.',
        more: 'True if there are more, which were not counted.',
        kinds: 'The kinds of what was found, the most frequent one first.',
        places: 'The 20 most frequent places, the most frequent one first.',
        authors: 'The 20 most frequent authors, the most frequent one first.',
        kind: 'The kind of a search for these alone.',
        count: 'How many of the things that were counted are of this kind, place or author.',
        place: 'The `in` of a search for these alone: `lobby`, or the id of a channel.',
        community: 'The community of the channel.',
        name: 'The name of the channel.',
        author:
          'The `from` of a search for these alone: the username, or the name that a guest chose.',
        user_id: 'The person, if they have an account.',
      },
    ],
    found:
      'What a search has found: messages of the lobby or of channels, posts, or comments, as `kind` and `in` say. With `all` as `kind`, each is a FoundAnywhere. The newest comes first.',
    foundAnywhere: [
      'A message, post or comment that a search for all kinds has found.',
      {
        kind: 'What was found, which is in the field of that name.',
        id: 'The id of what was found, as `before` of the next page.',
        message: 'A message of the lobby, or of a channel: that one has a `channel_id`.',
        post: 'A post, as lists show it.',
        comment: 'A comment, with the place of its post.',
      },
    ],
  },
  events: {
    messageCreate: {
      about: 'A message was posted. This is all that the documented gateway sends.',
      to: 'Clients of profile 0.',
    },
    lobbyMessageCreate: {
      about: 'A message was posted in the lobby.',
      to,
      fields: {
        nonce:
          'The nonce that it was posted with. On profile 1, only the client that posted it is sent it.',
      },
    },
    lobbyMessageUpdate: {
      about: 'A message has changed. `d` is the whole message, without `mine`.',
      to,
    },
    lobbyMessageDelete: { about: 'A message was removed. Clients no longer show it.', to },
    lobbyReactionAdd: {
      about: 'Somebody reacted to a message.',
      to,
      fields: { count: 'How many people react with it from now on.' },
    },
    lobbyReactionRemove: {
      about: 'Somebody took a reaction back.',
      to,
      fields: { count: 'How many people react with it from now on, which may be 0.' },
    },
  },
};
