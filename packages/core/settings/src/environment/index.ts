export { EnvironmentError, exitOnBadEnvironment } from './environment-error.ts';
export { generatedSecret, secretList } from './secret-list.ts';
export { logVariables } from './log-variables.ts';
export { modeOf, variable } from './variable.ts';
export type { Mode, ValueOf, Variable, VariableDefinition, VariableOptions } from './variable.ts';
export { readEnvironment } from './read-environment.ts';
export type { Environment, Variables } from './read-environment.ts';
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
