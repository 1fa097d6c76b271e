import type { Statements } from '../connect-statements.ts';

/** The service must not start with its role: row-level security would not bind it. */
export class UnsafeServiceRole extends Error {
  override readonly name = 'UnsafeServiceRole';
}

/**
 * Makes sure that row-level security binds the role that a service logs in as.
 *
 * @throws {UnsafeServiceRole} for a superuser, a role with BYPASSRLS, and one that owns tables, which could turn it off
 */
export async function assertServiceRole(database: Statements): Promise<void> {
  const [role] = await database.query<{ name: string; fault: string | null }>(
    `select rolname as name,
       case
         when rolsuper then 'is a superuser'
         when rolbypassrls then 'has BYPASSRLS'
         when exists (
           select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
           where pg_catalog.pg_has_role(r.oid, c.relowner, 'member')
             and c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
         ) then 'owns tables'
       end as fault
     from pg_catalog.pg_roles r where rolname = current_user`,
    [],
    { readOnly: true },
  );
  if (role !== undefined && role.fault !== null) {
    throw new UnsafeServiceRole(
      `The database role ${role.name} ${role.fault}, so row-level security would not bind it: a service needs a role of its own that owns nothing`,
    );
  }
}
