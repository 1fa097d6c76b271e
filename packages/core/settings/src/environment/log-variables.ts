import { oneOf, ratio } from '../values/index.ts';

import { variable } from './variable.ts';

/** The variables for logging, which every process takes. */
export const logVariables = {
  /** The lowest level that is written. */
  LOG_LEVEL: variable(oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']), {
    default: 'info',
  }),
  /** JSON for programs, text for people. */
  LOG_FORMAT: variable(oneOf(['json', 'text']), { optional: true }),
  /** The share of successful requests whose lines are written. */
  LOG_REQUEST_RATIO: variable(ratio, { default: 1 }),
};
