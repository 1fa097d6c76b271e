export { type DrawingOptions, drawPlan } from './draw-plan.ts';
export { hueAt } from './hue-at.ts';
export type { DrawnFetch } from './drawn-fetch.ts';
