import { oneOf } from './variables/one-of.ts';
import { ratio } from './variables/ratio.ts';

/** The variables that say what a process logs, for every process. */
export const logVariables = {
  /** The least important level that is written. */
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], { default: 'info' }),
  /** The share of the lines of successful requests that is written. */
  LOG_REQUEST_RATIO: ratio({ default: 1 }),
};
