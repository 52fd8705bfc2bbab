import { signal, untracked } from '@preact/signals';
import type { Id, NotificationChoice, NotificationLevel } from '@hearth/protocol';
import type { MyChannel, MyCommunity } from '@hearth/sdk';
import type { CommunityNews, CommunityRequests } from './community-source.ts';
import { isMuted, isPlaceMuted, type KnownMarks } from './marks.ts';

/** For how long something is muted: until the reader unmutes it, for which the interface has no value. */
const FOR_GOOD_MS = 10 * 365 * 86_400_000;

interface ChoicesOptions {
  readonly settings: CommunityNews['settings'];
  readonly requests: CommunityRequests;
  /** Says so if the instance refuses an act. Never rejects. */
  readonly acted: (act: Promise<unknown>) => Promise<void>;
  readonly now: () => number;
}

/**
 * The choices of the reader what communities and channels notify them of, and which of them they have muted. They show
 * at once.
 */
export class PlaceChoices {
  readonly #options: ChoicesOptions;
  /** The levels that are shown before the instance has agreed. */
  readonly #levels = signal<ReadonlyMap<Id, NotificationLevel | undefined>>(new Map());
  readonly #muted = signal<ReadonlyMap<Id, number>>(new Map());

  constructor(options: ChoicesOptions) {
    this.#options = options;
  }

  /** The facts from which marks are computed. */
  get known(): Pick<KnownMarks, 'settings' | 'nowMs'> {
    const settings = new Map(this.#options.settings.value);
    for (const [id, until] of this.#muted.value) {
      settings.set(id, { ...settings.get(id), muted_until: until });
    }
    return { settings, nowMs: this.#options.now() };
  }

  isMuted(community: Pick<MyCommunity, 'id'>, channel?: Pick<MyChannel, 'id'>): boolean {
    return isMuted(community, channel, this.known);
  }

  /** Returns whether the reader has muted just this community or channel, so that they can unmute it. */
  isPlaceMuted({ id }: { readonly id: Id }): boolean {
    return isPlaceMuted(id, this.known);
  }

  mute(place: MyCommunity | MyChannel, isOn: boolean): Promise<void> {
    const { id } = place;
    const level = untracked(() => this.levelOf(place));
    const until = isOn ? this.#options.now() + FOR_GOOD_MS : undefined;
    const without = () => {
      const others = new Map(this.#muted.peek());
      others.delete(id);
      this.#muted.value = others;
    };
    this.#muted.value = new Map(this.#muted.peek()).set(id, until ?? 0);
    return this.#choose(place, { level, until }, without);
  }

  /** Returns what a community or channel notifies the reader of; undefined if they have not chosen that there. */
  levelOf({ id }: { readonly id: Id }): NotificationLevel | undefined {
    const { value } = this.#levels;
    return value.has(id) ? value.get(id) : this.#options.settings.value.get(id)?.level;
  }

  /** Chooses of what a place notifies the reader; undefined for what holds otherwise. */
  chooseLevel(place: MyCommunity | MyChannel, level: NotificationLevel | undefined): Promise<void> {
    const { id } = place;
    const { muted_until: known = 0 } = this.#options.settings.peek().get(id) ?? {};
    const until = this.#muted.peek().get(id) ?? known;
    const without = () => {
      const others = new Map(this.#levels.peek());
      // The reader may have chosen another one meanwhile.
      if (others.get(id) === level) others.delete(id);
      this.#levels.value = others;
    };
    this.#levels.value = new Map(this.#levels.peek()).set(id, level);
    const isMutedNow = until > this.#options.now();
    return this.#choose(place, { level, until: isMutedNow ? until : undefined }, without);
  }

  /** From when it has ended, the news say what was chosen. */
  #choose(
    place: MyCommunity | MyChannel,
    {
      level,
      until,
    }: { readonly level?: NotificationLevel | undefined; readonly until?: number | undefined },
    onEnd: () => void,
  ): Promise<void> {
    const { requests, acted } = this.#options;
    const choice: NotificationChoice = {
      ...(level !== undefined && { level }),
      ...(until !== undefined && { muted_until: until }),
    };
    const choosing =
      'community_id' in place
        ? requests.chooseForChannel(place.id, choice)
        : requests.chooseForCommunity(place.id, choice);
    return acted(choosing.finally(onEnd));
  }
}
