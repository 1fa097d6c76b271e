export { citusVariable, findCitus } from './find-citus.ts';
export { startCitus, type CitusNode, type RunningCitus, type StartCitusOptions } from './start-citus.ts';
