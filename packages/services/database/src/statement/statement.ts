import type { Knex } from 'knex';

/** A statement that knex has built. Only the functions of `Database` run it. */
export type BuiltQuery = Knex.QueryBuilder | Knex.Raw;

/** SQL with `$1` placeholders and their values. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** True when it certainly changes nothing: it may be sent again after a lost connection. */
  readonly isReadOnly: boolean;
}

/** Compiles a query builder. A `select` only reads; for anything else the caller may declare it. */
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
