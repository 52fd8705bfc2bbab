import { ownerIn, type Act, type Choosing } from './scene.ts';

const MOST_CHANNELS = 6;
const LEAST_CHANNELS = 3;

export function addChannel(choosing: Choosing): Act | undefined {
  const { scene, snapshot, choices } = choosing;
  if (snapshot.channels.length >= MOST_CHANNELS) return undefined;
  const body = {
    kind: 'messages',
    name: `channel-${choices.below(1_000)}`,
    ...(choices.onceIn(2) && { category_id: scene.category }),
  };
  const path = `/communities/${scene.community}/channels`;
  return { by: ownerIn(choosing), method: 'POST', path, body };
}

export function removeChannel(choosing: Choosing): Act | undefined {
  const { snapshot, choices } = choosing;
  if (snapshot.channels.length <= LEAST_CHANNELS) return undefined;
  const path = `/channels/${choices.of(snapshot.channels)}`;
  return { by: ownerIn(choosing), method: 'DELETE', path };
}

/** A change that everyone who sees the channel is sent. */
export function changeChannel(choosing: Choosing): Act {
  const { scene, snapshot, choices } = choosing;
  const name = `channel-${choices.below(1_000)}`;
  const body = choices.onceIn(2) ? { name } : { topic: `About ${choices.below(1_000)}` };
  const path = `/channels/${choices.of([...snapshot.channels, scene.category])}`;
  return { by: ownerIn(choosing), method: 'PATCH', path, body };
}

/** Another order, in which a channel may be in the category, whose overwrites hold for it. */
export function moveChannels(choosing: Choosing): Act {
  const { scene, snapshot, choices } = choosing;
  const [first, ...rest] = snapshot.channels;
  const order = [...rest, ...(first === undefined ? [] : [first])].map((id) => ({
    id,
    ...(choices.onceIn(2) && { category_id: scene.category }),
  }));
  return {
    by: ownerIn(choosing),
    method: 'PUT',
    path: `/communities/${scene.community}/channels/order`,
    body: { order: [{ id: scene.category }, ...order] },
  };
}
