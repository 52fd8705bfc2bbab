import { signal } from '@preact/signals';
import type { Id } from '@hearth/protocol';
import type { MyChannel, MyCommunity } from '@hearth/sdk';
import type { CommunityNews, CommunityRequests } from './community-source.ts';
import {
  channelMarks,
  communityMarks,
  NO_MARKS,
  withoutRead,
  type KnownMarks,
  type Marks,
} from './marks.ts';
import type { PlaceChoices } from './place-choices.ts';

interface MarksOptions {
  readonly news: Pick<CommunityNews, 'inbox' | 'marks'>;
  readonly choices: PlaceChoices;
  readonly requests: CommunityRequests;
  /** Says so if the instance refuses an act. Never rejects. */
  readonly acted: (act: Promise<unknown>) => Promise<void>;
}

/** The news for the reader in communities and channels. What they mark as read shows at once. */
export class ReadMarks {
  readonly #options: MarksOptions;
  /** The channels that are shown as read before the instance has agreed. */
  readonly #read = signal<ReadonlySet<Id>>(new Set());

  constructor(options: MarksOptions) {
    this.#options = options;
  }

  of(community: MyCommunity): Marks {
    return communityMarks(community, this.#known);
  }

  ofChannel(community: Pick<MyCommunity, 'id'>, channel: Pick<MyChannel, 'id'>): Marks {
    return channelMarks(community, channel, this.#known);
  }

  markRead({ id, channels }: MyCommunity): Promise<void> {
    const ids = channels.map((channel) => channel.id);
    return this.#show(ids, this.#options.requests.markRead(id));
  }

  markChannelRead({ id }: Pick<MyChannel, 'id'>): Promise<void> {
    return this.#show([id], this.#options.requests.markChannelRead(id));
  }

  get #known(): KnownMarks {
    const { news, choices } = this.#options;
    const marks = withoutRead(news.marks.value, news.inbox.value?.readMentions.value);
    for (const id of this.#read.value) marks.set(id, NO_MARKS);
    return { marks, ...choices.known };
  }

  #show(ids: readonly Id[], act: Promise<unknown>): Promise<void> {
    this.#read.value = new Set([...this.#read.peek(), ...ids]);
    const without = () => {
      this.#read.value = new Set([...this.#read.peek()].filter((id) => !ids.includes(id)));
    };
    return this.#options.acted(act.finally(without));
  }
}
