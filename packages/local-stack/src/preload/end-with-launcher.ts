// Node runs this before the gateway of `pnpm gateway`: npx and pnpm pass on no signal that only they get, so the program
// stops when one of those that launched it is gone.
import process from 'node:process';

import { watchLaunchers } from '../run/launchers.ts';

watchLaunchers(() => process.kill(process.pid, 'SIGTERM'));
