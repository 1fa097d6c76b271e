export { baseUrl, host, url } from './addresses.ts';
export {
  parseDuration,
  durationMs,
  integer,
  maxTimerMs,
  port,
  positiveInteger,
  positiveNumber,
  ratio,
} from './numbers.ts';
export { editDistance } from './edit-distance.ts';
export { isRecord } from './is-record.ts';
export { printable, printableLines, printableTexts } from './printable.ts';
export type { Bounds } from './numbers.ts';
export type { ValueSchema, ValueType } from './value-type.ts';
export { boolean, oneOf, text, textType } from './value-type.ts';
export { token } from './token.ts';
