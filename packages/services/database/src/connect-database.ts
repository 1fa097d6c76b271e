import createQueryBuilder from 'knex';
import type { Knex } from 'knex';

import type { DatabaseOptions, Statements } from './connect-statements.ts';
import { connectStatements } from './connect-statements.ts';

/** A service's database. */
export interface Database extends Statements {
  /** Builds queries. It has no connection: the functions of `Statements` run them, under a deadline and as a tenant. */
  readonly knex: Knex;
}

/** Connects to a database, when a connection is first needed. */
export function connectDatabase(options: DatabaseOptions): Database {
  return { ...connectStatements(options), knex: createQueryBuilder({ client: 'pg' }) };
}
