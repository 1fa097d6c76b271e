import process from 'node:process';

import { isYoungGenerationOption, youngGenerationOption } from '../workers/young-generation.ts';

/**
 * Replaces this process by itself under Node's option for much garbage, which a program of npm cannot ask for.
 * Does nothing where the option is set, on Windows, and for a child that talks to its parent.
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
