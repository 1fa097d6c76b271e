import { oneOf, ratio } from '@meridian/values';

import { variable } from './variable.ts';

/** The variables that say what a process logs, for every process. */
export const logVariables = {
  /** The least important level that is written. */
  LOG_LEVEL: variable(oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']), {
    default: 'info',
  }),
  /** The share of the lines of successful requests that is written. */
  LOG_REQUEST_RATIO: variable(ratio, { default: 1 }),
};
