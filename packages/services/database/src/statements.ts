// `@meridian/database/statements`: a database without a query builder, for a process that writes its own SQL.
export { connectStatements } from './connect-statements.ts';
export type { Statements } from './connect-statements.ts';
export { StoreTimeout, StoreUnavailable } from './errors/store-errors.ts';
