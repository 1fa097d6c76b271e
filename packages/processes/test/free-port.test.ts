import { once } from 'node:events';
import { createServer } from 'node:net';

import { expect, it } from '@jest/globals';

import { findFreePort, listenIfFree } from '../src/index.ts';

it('findFreePort finds a port that is free and that no connection gets, and listenIfFree takes it once', async () => {
  const port = await findFreePort();
  // Where Linux begins to give ports to connections.
  expect(port).toBeLessThan(32_768);

  const [first, second] = [createServer(), createServer()];
  expect(await listenIfFree(first, '127.0.0.1', port)).toBe(true);
  expect(await listenIfFree(second, '127.0.0.1', port)).toBe(false);
  first.close();
  await once(first, 'close');
});
