import { escapeIdentifier, escapeLiteral } from 'pg';
import type { Client } from 'pg';

import { isDuplicate } from '../errors/duplicate.ts';
import { retryConflicts } from '../statement/retry-conflicts.ts';
import { withClient } from '../with-client.ts';
import type { Statements } from '../connect-statements.ts';

/** The database to create, and its roles. */
export interface ProvisionDatabaseOptions {
  /** `postgresql://…`, of a role that may create databases and roles. */
  readonly adminUrl: string;
  readonly database: string;
  /** The role that the service logs in as. */
  readonly serviceRole: string;
  readonly servicePassword: string;
  /** The role that owns the database and runs its migrations; default: the administrator's own. */
  readonly owner?: { readonly role: string; readonly password: string };
}

/** The address of a provisioned database. */
export interface ProvisionedDatabase {
  readonly ownerUrl: string;
  readonly serviceUrl: string;
}

/**
 * Creates a database and its service's role if they are missing, and sets the password. The role owns nothing and has
 * no special right, so that row-level security binds it; no other service's role may connect to the database. May run
 * again, and at the same time as others.
 */
export async function provisionDatabase(options: ProvisionDatabaseOptions): Promise<ProvisionedDatabase> {
  const { adminUrl, database, serviceRole, servicePassword, owner } = options;
  await withClient(adminUrl, async (client) => {
    await ensureLoginRole(client, serviceRole, servicePassword);
    if (owner !== undefined) {
      await ensureLoginRole(client, owner.role, owner.password);
    }
    const name = escapeIdentifier(database);
    const ownedBy = owner === undefined ? '' : ` owner ${escapeIdentifier(owner.role)}`;
    await createUnlessThere(client, `create database ${name}${ownedBy}`);
    await retryConflicts(async () => {
      await client.query(`revoke all on database ${name} from public`);
      await client.query(`grant connect on database ${name} to ${escapeIdentifier(serviceRole)}`);
    });
  });
  return {
    ownerUrl: urlOf(adminUrl, database, owner),
    serviceUrl: urlOf(adminUrl, database, { role: serviceRole, password: servicePassword }),
  };
}

/** By default, a role has neither SUPERUSER nor BYPASSRLS, and may create neither databases nor roles. */
async function ensureLoginRole(client: Client, role: string, password: string): Promise<void> {
  const name = escapeIdentifier(role);
  await createUnlessThere(client, `create role ${name}`);
  await retryConflicts(() => client.query(`alter role ${name} login password ${escapeLiteral(password)}`));
}

async function createUnlessThere(client: Client, statement: string): Promise<void> {
  try {
    await client.query(statement);
  } catch (error) {
    if (!isDuplicate(error)) {
      throw error;
    }
  }
}

function urlOf(adminUrl: string, database: string, role: ProvisionDatabaseOptions['owner']): string {
  const url = new URL(adminUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  if (role !== undefined) {
    url.username = encodeURIComponent(role.role);
    url.password = encodeURIComponent(role.password);
  }
  return url.href;
}

/** Removes a database if it exists, with any connection that is still open. Its roles stay. */
export async function dropDatabase(adminUrl: string, database: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    await client.query(`drop database if exists ${escapeIdentifier(database)} with (force)`);
  });
}

/** The service must not start with its role: row-level security would not bind it, or its settings change results. */
export class UnsafeServiceRole extends Error {
  override readonly name = 'UnsafeServiceRole';
}

/**
 * Makes sure that row-level security binds the role that a service logs in as, and that statements mean the same for it
 * everywhere.
 *
 * @throws {UnsafeServiceRole} for a superuser, a role with BYPASSRLS, one that owns tables, which could turn it off, and
 *   for a setting of the role, the database or the server that would fail every request or change its results
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
  const [fault] = await database.query<{ name: string; setting: string; needed: string }>(
    // SQL_ASCII keeps the bytes of UTF-8 as they are.
    `select name, setting, needed
     from (values ('server_encoding', 'UTF8'), ('DateStyle', 'ISO'), ('row_security', 'on')) needs (name, needed),
       pg_catalog.current_setting(name) setting
     where split_part(setting, ',', 1) not in (needed, 'SQL_ASCII')
     union all
     select 'search_path', pg_catalog.current_setting('search_path'), n.nspname
     from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where c.relname = 'schema_migrations' and pg_catalog.to_regclass('schema_migrations') is null`,
    [],
    { readOnly: true },
  );
  if (role !== undefined && fault !== undefined) {
    throw new UnsafeServiceRole(
      `The database role ${role.name} has the setting ${fault.name} = "${fault.setting}", of its own, of its database or of the server: a service needs "${fault.needed}"`,
    );
  }
}
