export { baseUrl, host, url } from './addresses.ts';
export { parseDuration } from './durations.ts';
export { editDistance } from './edit-distance.ts';
export { isRecord } from './is-record.ts';
export { printable, printableLines, printableTexts } from './printable.ts';
export {
  durationMs,
  integer,
  longestTimerMs,
  port,
  positiveInteger,
  positiveNumber,
  ratio,
} from './numbers.ts';
export type { Bounds } from './numbers.ts';
export type { ValueSchema, ValueType } from './value-type.ts';
export { boolean, oneOf, text } from './text-and-boolean.ts';
export { textType } from './value-type.ts';
