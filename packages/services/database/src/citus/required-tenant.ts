// On one PostgreSQL, row-level security shows no row to a statement without a tenant. On a cluster that would be a
// wrong answer: a function that was delegated to a worker sets the tenant there only. When its shard has moved
// meanwhile, Citus sends its statements on to the new worker, which has not been given the tenant. So the policies
// refuse them, and the service runs the call again: the coordinator delegates it to the new worker.
import { escapeIdentifier } from 'pg';
import type { Client } from 'pg';

/** SQLSTATE of a statement that came to a node without its tenant. It was refused as a whole, and may be sent again. */
export const tenantNotGiven = 'MT001';

const body = `
declare
  v_tenant_id text := nullif(current_setting('meridian.tenant_id', true), '');
begin
  if v_tenant_id is null then
    raise exception 'the statement came to this node without its tenant' using
      errcode = '${tenantNotGiven}',
      hint = 'A function call whose shard has moved may be sent again; any other statement takes set local meridian.tenant_id.';
  end if;
  return v_tenant_id;
end
`;

export const requiredTenantFunction: PlannedStep = {
  step: 'function required_tenant on every node',
  async find(client) {
    const { rows } = await client.query(
      `select from pg_catalog.pg_proc where oid = to_regprocedure('required_tenant()') and prosrc = $1`,
      [body],
    );
    return rows.length > 0
      ? undefined
      : () =>
          client.query(
            `create or replace function required_tenant() returns text
             language plpgsql stable parallel safe as $body$${body}$body$`,
          );
  },
};

/** Has the policies of a table refuse a statement without its tenant. */
export function policyOf(table: string, column: string): PlannedStep {
  return {
    step: `policy of ${table} refuses a statement without ${column}`,
    async find(client) {
      const policies = await findLenientPolicies(client, table, column);
      return policies.length === 0
        ? undefined
        : async () => {
            for (const policy of policies) {
              await client.query(
                `alter policy ${escapeIdentifier(policy)} on ${escapeIdentifier(table)}
                 using (${escapeIdentifier(column)} = required_tenant())`,
              );
            }
          };
    },
  };
}

async function findLenientPolicies(client: Client, table: string, column: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select polname as name from pg_catalog.pg_policy
     where polrelid = to_regclass($1)
       and pg_catalog.pg_get_expr(polqual, polrelid) is distinct from format('(%I = required_tenant())', $2::text)`,
    [table, column],
  );
  return rows.map(({ name }) => name);
}

/** A part of the distribution. */
export interface PlannedStep {
  readonly step: string;
  /** Checks the database: undefined if the step is already done. */
  find(client: Client): Promise<(() => Promise<unknown>) | undefined>;
}
