export { driveLoad, type Load, type LoadResult, type Request } from './drive-load.ts';
export { type Contender, measureInTurn, type MeasureOptions, type Measurement } from './measure-in-turn.ts';
export { printTable, type TableOptions } from './print-table.ts';
export { cpuSeconds } from './process-cost.ts';
export { lineWith, type Program, type StartedProgram, startProgram } from './started-program.ts';
