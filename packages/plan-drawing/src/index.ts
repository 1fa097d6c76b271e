export { type DrawingOptions, drawPlan } from './draw-plan.ts';
export { hueAt } from './hue-at.ts';
export type { DrawnFetch, FetchRun } from './drawn-fetch.ts';
