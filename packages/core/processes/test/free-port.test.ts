import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import process from 'node:process';
import { promisify } from 'node:util';

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

it('findFreePort gives no port again, neither in this process nor in another', async () => {
  // By random choice alone, 400 of 12 000 ports hardly ever all differ.
  const find = async (count: number): Promise<number[]> => {
    const ports = [];
    for (let found = 0; found < count; found += 1) {
      ports.push(await findFreePort());
    }
    return ports;
  };
  const own = await find(400);
  expect(new Set(own).size).toBe(400);

  const source = new URL('../src/index.ts', import.meta.url).href;
  const other = `const { findFreePort } = await import(${JSON.stringify(source)});
    const find = ${find.toString()};
    console.log(JSON.stringify(await find(200)));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', other]);
  const others: number[] = JSON.parse(stdout);
  expect(others).toHaveLength(200);
  expect(others.filter((port) => own.includes(port))).toEqual([]);
});
