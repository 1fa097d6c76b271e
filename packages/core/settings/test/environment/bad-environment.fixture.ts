// A process that needs a port and a secret, for exit-on-bad-environment.test.ts.
import process from 'node:process';

import {
  exitOnBadEnvironment,
  port,
  readEnvironment,
  secretList,
  variable,
} from '../../src/environment/index.ts';

const { PORT } = exitOnBadEnvironment(() =>
  readEnvironment(process.env, { PORT: variable(port, {}), ETAG_KEYS: secretList({}) }),
);
process.stdout.write(`PORT is ${PORT}\n`);
