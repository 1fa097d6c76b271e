import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';

import { childrenOf, findPortHolder, findProcess, isRunning } from '../src/index.ts';

describe('findProcess', () => {
  it('returns the command line and the parent of a process until it ends', async () => {
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    // For a moment between fork and exec, a process has no command line.
    while (findProcess(Number(child.pid))?.commandLine === '') {
      await setImmediate();
    }
    const entry = findProcess(Number(child.pid));
    expect(entry).toMatchObject({ pid: child.pid, parentPid: process.pid, commandLine: 'sleep 60' });
    expect(childrenOf(process.pid)).toContain(child.pid);
    const exited = once(child, 'exit');
    child.kill();
    await exited;
    expect(findProcess(Number(child.pid))).toBeUndefined();
    expect(childrenOf(process.pid)).not.toContain(child.pid);
  });
});

describe('isRunning', () => {
  it('distinguishes a process from a later one with its pid', () => {
    const startedAt = findProcess(process.pid)?.startedAt ?? '';
    expect(isRunning({ pid: process.pid, startedAt })).toBe(true);
    expect(isRunning({ pid: process.pid, startedAt: 'long ago' })).toBe(false);
  });
});

describe('findPortHolder', () => {
  it('returns the process that listens on a port, on systems that tell', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(findPortHolder(port)?.pid).toBe(process.platform === 'linux' ? process.pid : undefined);
    server.close();
    await once(server, 'close');
    expect(findPortHolder(port)).toBeUndefined();
  });
});
