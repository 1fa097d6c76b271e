export { problemKinds } from './problem-kinds.ts';
export type { ProblemKind } from './problem-kinds.ts';
export { Problem, problem } from './problem.ts';
export type { ProblemOptions } from './problem.ts';
export { problemBody, problemMediaType, problemType } from './problem-body.ts';
export type { ProblemBody } from './problem-body.ts';
