import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { findFreePort } from '../../../../packages/core/processes/src/index.ts';
import { eventually } from '../../../../packages/development/testing/src/index.ts';

/** A subgraph that another team runs, beside the stack. */
export interface ExternalProgram {
  readonly port: number;
  /** The path of its schema. */
  readonly schema: string;
  /** Resolves when it responds. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A program that takes its port as an argument, and has its schema beside it. */
export async function createExternalProgram(interpreter: string, path: string): Promise<ExternalProgram> {
  const port = await findFreePort();
  let child: ChildProcess | undefined;
  return {
    port,
    schema: path.replace(/\.\w+$/u, '.graphql'),
    async start() {
      child = spawn(interpreter, [path, String(port)], { stdio: ['ignore', 'ignore', 'inherit'] });
      await eventually(async () => {
        const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query: '{ _service { sdl } }' }),
        });
        await response.json();
      });
    },
    async stop() {
      if (child !== undefined) {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
    },
  };
}
