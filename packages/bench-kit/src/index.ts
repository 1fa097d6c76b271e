export { type Clients, type Load, type LoadResult, openClients, type Request } from './clients.ts';
export { type Contender, measureInTurn, type MeasureOptions, type Measurement } from './measure-in-turn.ts';
export { printTable, type TableOptions } from './print-table.ts';
export { cpuSeconds, residentMebibytes } from './process-cost.ts';
export { shuffled } from './shuffled.ts';
export { lineWith, type Program, type StartedProgram, startProgram } from './started-program.ts';
