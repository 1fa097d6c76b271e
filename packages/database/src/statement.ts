import type { Knex } from 'knex';

/** A statement that knex has put together. Nothing runs it but the functions of `Database`. */
export type BuiltQuery = Knex.QueryBuilder | Knex.Raw;

/** SQL with `$1` placeholders and their values. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** True when it certainly changes nothing; then it may be sent again when its connection was lost. */
  readonly isReadOnly: boolean;
}

/** Compiles a query builder. A `select` is known to read; of anything else the caller may say so. */
export function statementOf(query: BuiltQuery, readOnly: boolean | undefined): Statement {
  const compiled = query.toSQL();
  const { sql, bindings } = compiled.toNative();
  return {
    text: sql,
    values: bindings,
    isReadOnly: readOnly ?? ('method' in compiled && readingMethods.has(compiled.method)),
  };
}

const readingMethods = new Set(['select', 'first', 'pluck']);
