import { expect, test } from 'bun:test';
import { exportRoutes } from '../exports/routes.ts';
import { mailCodeRoutes } from '../mail-codes/routes.ts';
import { secondFactorRoutes } from '../second-factor/routes.ts';
import { sessionRoutes } from '../sessions/routes.ts';
import { ownAccountRoutes } from './routes.ts';

test('a token opens none of the routes about the own account but the one that reads it', () => {
  const routes = [
    ...ownAccountRoutes,
    ...secondFactorRoutes,
    ...mailCodeRoutes,
    ...exportRoutes,
    ...sessionRoutes,
  ];
  const open = routes.filter(({ auth }) => auth === 'user').map(({ name }) => name);
  expect(open).toEqual(['findMe']);
});
