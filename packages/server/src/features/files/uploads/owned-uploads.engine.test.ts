import { sessionAccount } from '@hearth/testing/session-account';
import {
  NotFoundError,
  ProtocolError,
  UnauthorizedError,
  ValidationError,
  type Id,
  type UserChange,
} from '@hearth/protocol';
import { photograph } from '@hearth/testing/clients/photograph';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { countedIds } from '@hearth/testing/ports/id-source';
import { sealContent } from '@hearth/testing/ports/upload-verbs';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { OWNER, type SessionAccount } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { ownerOutbox } from '../../../ports/outbox/outbox.ts';
import type { Database } from '../../../ports/database/database.ts';
import { endSession } from '../../accounts/sessions/end-sessions.ts';
import { insertSession } from '../../accounts/sessions/store.ts';
import { findMe } from '../../accounts/own-account/find-me.ts';
import { updateMe } from '../../accounts/own-account/update-me.ts';
import { NO_PERMISSIONS } from '../../accounts/users/staff-permissions.ts';
import { insertUser } from '../../accounts/users/store.ts';
import { createUpload } from './create-upload.ts';
import { findUpload } from './find-uploads.ts';
import { listUploads } from './list-uploads.ts';
import { removeOwnUpload, removeUpload } from './remove-upload.ts';
import { selectUserBytes } from './store.ts';

const MOST_BYTES = 100_000;

onEachDatabase((open) => {
  let resources: AsyncDisposableStack;
  let contexts: readonly InstanceContext[];
  let ctx: InstanceContext;

  /** Two contexts of one instance, like those of two processes. */
  beforeEach(async () => {
    resources = new AsyncDisposableStack();
    const owner = resources.use(await openTestContext());
    const files = { ...owner.settings.files, userSizeBytes: MOST_BYTES };
    const ids = countedIds();
    const on = (database: Database): InstanceContext => ({
      ...owner,
      ids,
      settings: { ...owner.settings, files },
      database: ownerOutbox(database),
    });
    const database = resources.use(await open());
    ctx = on(database);
    contexts = [ctx, on(resources.use(await database.openAgain()))];
  });
  afterEach(() => resources.disposeAsync());

  async function newUser(): Promise<SessionAccount> {
    const [id, sessionId] = [await ctx.ids.next(), await ctx.ids.next()];
    const name = `user${id}`;
    await ctx.database.transaction(async ({ sql }) => {
      await insertUser(sql, {
        id,
        username: name,
        display_name: '',
        email: `${name}@example.org`,
        email_key: `${name}@example.org`,
        password_hash: '',
        state: 'active',
        staff_permissions: NO_PERMISSIONS,
        created_at_ms: 1,
      });
      await insertSession(sql, {
        id: sessionId,
        userId: id,
        secretHash: '',
        client: undefined,
        addressHint: '',
        nowMs: 1,
      });
    });
    return sessionAccount(id, sessionId);
  }

  const store = async (user: SessionAccount, bytes: string | Uint8Array, on = ctx) => {
    const sealed = await sealContent(on, bytes);
    return createUpload(on, user, { bucket: 'attachments', name: 'a', spoiler: false, sealed });
  };
  const used = (user: SessionAccount) => selectUserBytes(ctx.database.reader, user.user_id);
  const errorOf = (failing: Promise<unknown>): Promise<unknown> =>
    failing.then(
      () => 'none',
      (error: unknown) => error,
    );

  test('[FS35] an upload has the key and the user that it was made with', async () => {
    const user = await newUser();
    const { id, key } = await store(user, 'x');
    const upload = await findUpload(ctx, OWNER, { bucket: 'attachments', id, key });
    expect(upload).toMatchObject({ key, userId: user.user_id, isPublic: false });
  });

  test('[FS37] nothing is left of an upload whose session has ended meanwhile', async () => {
    const [user, other] = [await newUser(), await newUser()];
    await endSession(ctx, user, { id: user.credential.id });
    const error = await errorOf(store(user, 'x'));
    expect(error).toBeInstanceOf(UnauthorizedError);
    expect((error as UnauthorizedError).data).toEqual({ code: 'token_ended' });
    expect(await errorOf(store({ ...user, credential: other.credential }, 'x'))).toBeInstanceOf(
      UnauthorizedError,
    );
    expect(await listUploads(ctx, OWNER)).toEqual([]);
    expect([await used(user), await ctx.blobs.isEmpty()]).toEqual([0, true]);
  });

  test('[FS39] uploads of a user at the same time never take more than the quota together', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const storing = Array.from({ length: 12 }, (_, index) =>
      store(user, String(index).padStart(15_000, '-'), contexts[index % 2]),
    );
    const settled = await Promise.allSettled(storing);
    const stored = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(stored).toHaveLength(6);
    for (const each of settled) {
      if (each.status === 'fulfilled') continue;
      expect(each.reason).toBeInstanceOf(ValidationError);
      expect(each.reason.data).toEqual({
        field_name: 'file',
        error: 'must fit into the 10000 bytes that are left for your own uploads together',
      });
    }
    expect(await used(user)).toBe(90_000);
    // Another user has as much room, and so has the owner.
    await store(other, 'x'.repeat(MOST_BYTES));
    const sealed = await sealContent(ctx, 'x'.repeat(MOST_BYTES + 1));
    await createUpload(ctx, OWNER, { bucket: 'attachments', name: 'a', spoiler: false, sealed });
    await Promise.all(
      stored.map(({ id }, index) => removeUpload(contexts[index % 2] ?? ctx, OWNER, id as Id)),
    );
    expect(await used(user)).toBe(0);
  });

  test('[FS39] people remove their own uploads only, and have the room again at once', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const { id } = await store(user, 'x'.repeat(MOST_BYTES));
    const remove = (by: SessionAccount) => removeOwnUpload(ctx, by, { id: id as Id });
    expect(await errorOf(remove(other))).toBeInstanceOf(NotFoundError);
    expect(await used(user)).toBe(MOST_BYTES);
    const removals = await Promise.allSettled([remove(user), remove(user)]);
    expect(removals.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect([await used(user), await listUploads(ctx, OWNER)]).toEqual([0, []]);
    await store(user, 'y'.repeat(MOST_BYTES));
  });

  test('[FS39] files of the same bytes count each, and a lost count is made again', async () => {
    const user = await newUser();
    const same = 'x'.repeat(40_000);
    const { id } = await store(user, same);
    await store(user, same);
    expect([await used(user), await errorOf(store(user, same))]).toEqual([
      80_000,
      expect.any(ValidationError),
    ]);
    const forget = () =>
      ctx.database.transaction(({ sql }) => sql.deleteFrom('user_bytes').execute());
    await forget();
    expect([await used(user), await errorOf(store(user, same))]).toEqual([
      80_000,
      expect.any(ValidationError),
    ]);
    await forget();
    await removeUpload(ctx, OWNER, id as Id);
    expect(await used(user)).toBe(40_000);
    await store(user, `${same}${same.slice(20_000)}`);
    expect(await used(user)).toBe(100_000);
  });

  test('[FS40, FS41] pictures of a profile are public exactly as long as it shows them, whatever changes at the same time', async () => {
    const user = await newUser();
    const pictures = await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const bytes = await photograph({ width: 16 + index, height: 8 });
        return (await store(user, bytes)).id as Id;
      }),
    );
    const update = (index: number, change: UserChange) =>
      updateMe(contexts[index % 2] ?? ctx, user, change);
    const settled = await Promise.allSettled(
      pictures.flatMap((id, index) => [
        update(index, { avatar: id }),
        update(index + 1, { banner: id }),
        ...(index % 2 === 0 ? [removeUpload(contexts[index % 2] ?? ctx, OWNER, id)] : []),
      ]),
    );
    for (const each of settled) {
      if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(ProtocolError);
    }
    const shown = async () => {
      const { avatar, banner } = await findMe(ctx, user);
      return [avatar, banner].flatMap((id) => id ?? []);
    };
    const ofUploads = async () =>
      (await listUploads(ctx, OWNER)).map(({ id, isPublic }) => (isPublic ? [id] : [])).flat();
    expect(new Set(await ofUploads())).toEqual(new Set(await shown()));
    await update(0, { avatar: null, banner: null });
    expect([await ofUploads(), await shown()]).toEqual([[], []]);
    for (const { id } of await listUploads(ctx, OWNER)) await removeUpload(ctx, OWNER, id);
    expect([await used(user), await ctx.blobs.isEmpty()]).toEqual([0, true]);
  });
});
