// Node runs this before the gateway of `pnpm gateway`: npx and pnpm do not pass on a signal that only they receive, so
// the program stops when one of its launchers is gone.
import process from 'node:process';

import { watchLaunchers } from '@meridian/processes';

watchLaunchers(() => process.kill(process.pid, 'SIGTERM'));
