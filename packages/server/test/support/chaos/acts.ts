import { addChannel, changeChannel, moveChannels, removeChannel } from './channel-acts.ts';
import {
  handOver,
  join,
  leave,
  liftBan,
  removeMember,
  setBan,
  setNickname,
  setRoles,
  setTimeOut,
} from './member-acts.ts';
import type { Act, Choosing } from './scene.ts';
import {
  addRole,
  changeCommunity,
  changeRole,
  changeVisibility,
  orderRoles,
  removeOverwrite,
  removeRole,
  setOverwrite,
} from './structure-acts.ts';

/** The acts, with how often they are chosen. */
const KINDS: readonly (readonly [number, (choosing: Choosing) => Act | undefined])[] = [
  [3, setRoles],
  [5, setOverwrite],
  [4, removeOverwrite],
  [2, changeRole],
  [1, addRole],
  [1, removeRole],
  [1, orderRoles],
  [5, join],
  [1, leave],
  [1, removeMember],
  [1, setNickname],
  [2, setTimeOut],
  [2, setBan],
  [2, liftBan],
  [1, handOver],
  [1, changeCommunity],
  [2, changeVisibility],
  [1, addChannel],
  [2, changeChannel],
  [1, moveChannels],
  [1, removeChannel],
];

const ALL = KINDS.flatMap(([times, kind]) => Array.from({ length: times }, () => kind));

/** Some change of the structure of the community or of its members. */
export function someAct(choosing: Choosing): Act {
  for (;;) {
    const act = choosing.choices.of(ALL)(choosing);
    if (act !== undefined) return act;
  }
}
