export {
  citusVariable,
  findCitus,
  startCitus,
  type CitusNode,
  type RunningCitus,
  type StartCitusOptions,
} from './start-citus.ts';
