export { problem, problemKinds } from './problem-kinds.ts';
export type { ProblemKind } from './problem-kinds.ts';
export { Problem, defineProblems } from './problem.ts';
export type { CreateProblem, ProblemOptions, ProblemRule } from './problem.ts';
export { problemBody, problemMediaType, problemType } from './problem-body.ts';
export type { ProblemBody } from './problem-body.ts';
