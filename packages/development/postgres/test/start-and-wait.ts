// The program that the tests of crashes kill: starts a server on the directory of its first argument, prints where it
// is and stays. It ignores Ctrl-C, as a process does that is busy stopping other things first.
import process from 'node:process';

import { startPostgres } from '../src/index.ts';

const [dataDirectory = '', isThrowaway] = process.argv.slice(2);
process.on('SIGINT', () => undefined);
const server = await startPostgres({
  dataDirectory,
  port: 0,
  settings: { fsync: 'off' },
  isThrowaway: isThrowaway === 'throwaway',
});
process.stdout.write(`${JSON.stringify({ url: server.url, pids: server.processIds() })}\n`);
setInterval(() => undefined, 60_000);
