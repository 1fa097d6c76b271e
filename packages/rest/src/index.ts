export { acceptsJson } from './accepts-json.ts';
export { ifMatchOf, staleEtag } from './if-match.ts';
export { isNotModified } from './if-none-match.ts';
export { reading, swapping, writing } from './store-failures.ts';
export { oneStatementOnce, type Statements, transactionOnce, type WriteOnce } from './write-once.ts';
