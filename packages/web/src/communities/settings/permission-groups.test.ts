import { expect, test } from 'bun:test';
import { PERMISSIONS } from '@hearth/protocol';
import { PERMISSION_GROUPS } from './permission-groups.ts';

test('[WC137] every permission is shown in exactly one group', () => {
  const shown: readonly string[] = Object.values(PERMISSION_GROUPS).flat();
  expect(shown.toSorted()).toEqual(Object.keys(PERMISSIONS).toSorted());
});
