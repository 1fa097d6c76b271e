import process from 'node:process';

import { isYoungGenerationOption, youngGenerationOption } from '../workers/young-generation.ts';

/**
 * Restarts this process with Node's option for much garbage, which an npm program cannot set. Does nothing if the
 * option is set, on Windows, and in a child with an IPC channel.
 */
export function restartWithYoungGeneration(): void {
  const given = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(' ')];
  const isChannelOpen = process.connected;
  if (given.some(isYoungGenerationOption) || isChannelOpen || process.platform === 'win32') {
    return;
  }
  const { execPath, execArgv, argv } = process;
  process.execve?.(execPath, [execPath, youngGenerationOption, ...execArgv, ...argv.slice(1)], process.env);
}
