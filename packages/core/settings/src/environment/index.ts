export { EnvironmentError } from './environment-error.ts';
export { exitOnBadEnvironment } from './exit-on-bad-environment.ts';
export { generatedSecret, secretList } from './secret-list.ts';
export { logVariables } from './log-variables.ts';
export { modeOf } from './mode.ts';
export type { Mode } from './mode.ts';
export { readEnvironment } from './read-environment.ts';
export type { Environment, Variables } from './read-environment.ts';
export { variable } from './variable.ts';
export type { ValueOf, Variable, VariableDefinition, VariableOptions } from './variable.ts';
export type { SecretList } from './secret-list.ts';
export {
  baseUrl,
  boolean,
  durationMs,
  host,
  integer,
  oneOf,
  port,
  ratio,
  text,
  url,
} from '../values/index.ts';
