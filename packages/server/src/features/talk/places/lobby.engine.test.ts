import {
  ForbiddenError,
  LOBBY_MODES,
  NotFoundError,
  UnauthorizedError,
  type LobbyMode,
} from '@hearth/protocol';
import { ChangedLobby } from '@hearth/testing/instances/changed-lobby';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { expect, test } from 'bun:test';
import { ANYONE, OWNER, type Actor } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import type { Signal } from '../../../ports/signals/signals.ts';
import { requireIn } from '../../communities/structure/structure.ts';
import { search } from '../../search/search/search.ts';
import { createMessage } from '../lobby/create-message.ts';
import { addReaction, listReacted } from '../lobby/changes/react.ts';
import { listMessages } from '../lobby/list-messages.ts';
import { countOnline } from '../online/count-online.ts';
import { showTyping } from '../typing/show-typing.ts';
import { isUnguarded, requireGuard, type PlaceAccess } from './place.ts';
import { findPlace, LOBBY_ID } from './places.ts';

/** The answers that a guest, somebody with an account, and the owner's command get of the lobby. */
const EXPECTED: Readonly<Record<LobbyMode, readonly (string | undefined)[]>> = {
  open: [undefined, undefined, undefined],
  accounts: [UnauthorizedError.name, undefined, undefined],
  off: [NotFoundError.name, NotFoundError.name, undefined],
};

onEachDatabase((open) => {
  test('[LA4] the lobby is a place: its history, searches, reactions, typing and the number of people ask who sees it in one way', async () => {
    await using database = await open();
    await using lobby = await ChangedLobby.open(database);
    const ada = await lobby.addUser('ada');
    const bob = await lobby.addUser('bob');
    const posted = await createMessage(lobby.ctx, ada, { content: 'Good evening' });
    const { id } = posted as Extract<typeof posted, { id: unknown }>;
    await lobby.history.flush();
    await addReaction(lobby.ctx, ada, { id, emoji: '🌱' });
    const range = { before: undefined, after: undefined, limit: 5 };
    const reads: readonly ((ctx: InstanceContext, actor: Actor) => unknown)[] = [
      (ctx, actor) => findPlace(ctx, actor, LOBBY_ID),
      (ctx, actor) => listMessages(ctx, actor, range),
      (ctx, actor) => search(ctx, actor, { kind: 'messages', q: 'evening', limit: 5 }),
      (ctx, actor) => listReacted(ctx, actor, { id, emoji: '🌱', ...range }),
      (ctx, actor) => countOnline(ctx, actor),
    ];
    for (const mode of LOBBY_MODES) {
      const settings = { ...lobby.ctx.settings, lobby: mode };
      const ctx = { ...lobby.ctx, settings };
      for (const read of reads) {
        const failures = [];
        for (const actor of [ANYONE, ada, OWNER]) {
          const failure = await failureOf(Promise.try(() => read(ctx, actor)));
          failures.push(failure instanceof Error ? failure.name : undefined);
        }
        expect([mode, ...failures]).toEqual([mode, ...EXPECTED[mode]]);
      }
      const signals: Signal[] = [];
      const stop = ctx.signals.listen((signal) => signals.push(signal));
      const failure = await failureOf(showTyping(ctx, ada, { channel_id: LOBBY_ID }));
      stop();
      if (mode === 'off') {
        expect([failure, signals]).toEqual([expect.any(NotFoundError), []]);
        continue;
      }
      expect(failure).toBeUndefined();
      const access = await findPlace(ctx, ada, LOBBY_ID);
      const people = [ada.user_id, bob.user_id];
      expect([...(await access.of.seeing(async () => undefined, access, people))]).toEqual(people);
      const thing = { userId: ada.user_id, communityId: '', channelId: LOBBY_ID } as const;
      const things = [thing, { ...thing, channelId: id }];
      expect(await access.of.visible(ctx, things)).toEqual([thing]);
      await database.transaction(async (tx) => {
        const requires = (found: PlaceAccess) => requireIn(found, 'MANAGE_CONTENT', 0);
        const still = access.of.still(tx, ctx, { actor: ada, access, requires });
        expect(await failureOf(still)).toBeInstanceOf(ForbiddenError);
        expect(await isUnguarded(tx, requireGuard(access))).toBe(false);
      });
    }
  });
});
