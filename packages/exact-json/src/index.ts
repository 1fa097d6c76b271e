export { DecimalNumber, type ExactJson, type ExactJsonObject } from './exact-json.ts';
export { ExactJsonError, type ExactJsonErrorCode } from './exact-json-error.ts';
export { parseExactJson, type ParseExactJsonOptions } from './parse-exact-json.ts';
