import { computed, type ReadonlySignal } from '@preact/signals';
import type {
  Capabilities,
  Client,
  ConnectionState,
  InstanceInfo,
  InstanceRateLimits,
} from '@hearth/sdk';

/** The instance that the page belongs to. What it offers is not known until it has been asked. */
export interface Instance {
  readonly info: InstanceInfo;
  /** True if it has been asked what it offers, perhaps in vain: then views go on as if it offered what is usual. */
  readonly wasAsked: ReadonlySignal<boolean>;
  /** The features that it offers beside the documented interface. */
  readonly features: ReadonlySignal<readonly string[]>;
  /** True if people can make and find communities there; undefined until that is known. */
  readonly hasCommunities: ReadonlySignal<boolean | undefined>;
  /** The mode of registration; undefined until that is known. */
  readonly registration: ReadonlySignal<Capabilities['registration'] | undefined>;
  /** True if it sends mail; undefined until that is known. */
  readonly hasMail: ReadonlySignal<boolean | undefined>;
  /** The question that people are asked when they register. */
  readonly question: ReadonlySignal<string | undefined>;
  /** The mode of the lobby. */
  readonly lobby: ReadonlySignal<Capabilities['lobby']>;
  /** Its rate limits, as it lists them. Throws the errors of the SDK. */
  rateLimits(options: { readonly signal: AbortSignal }): Promise<InstanceRateLimits>;
}

/** Returns what views may know about the instance of `client`; `connection` changes after it has been asked. */
export function instanceOf(
  client: Pick<Client, 'info' | 'rest' | 'capabilities'>,
  connection: ReadonlySignal<ConnectionState>,
): Instance {
  const { info, rest } = client;
  const known = computed(() => {
    void connection.value;
    return client.capabilities;
  });
  let wasAsked = false;
  return {
    info,
    wasAsked: computed(() => {
      const { state } = connection.value;
      // Later attempts to connect make nothing unknown again.
      wasAsked ||= known.value !== undefined || (state !== 'idle' && state !== 'connecting');
      return wasAsked;
    }),
    features: computed(() => known.value?.features ?? []),
    hasCommunities: computed(() => known.value?.features.includes('communities')),
    registration: computed(() => known.value?.registration),
    hasMail: computed(() => known.value?.features.includes('mail')),
    question: computed(() => known.value?.registration_question),
    lobby: computed(() => known.value?.lobby ?? 'open'),
    rateLimits: (options) => rest.rateLimits(options),
  };
}
