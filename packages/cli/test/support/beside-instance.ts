import { afterEach, beforeEach } from 'bun:test';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { Home } from './home.ts';

/** Gives each test of a file a home, and an instance that runs in this process during the test. */
export function besideInstance(begin: (home: Home, addresses: TestInstance['addresses']) => void) {
  let resources: AsyncDisposableStack;
  beforeEach(async () => {
    await using opened = new AsyncDisposableStack();
    const { addresses } = opened.use(await startTestInstance());
    begin(opened.use(await Home.make()), addresses);
    resources = opened.move();
  });
  afterEach(() => resources.disposeAsync());
}
