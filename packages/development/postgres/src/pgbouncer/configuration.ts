import { join } from 'node:path';

/** The server behind a PgBouncer. */
export interface PgbouncerOptions {
  /** `postgresql://…` of a service, with its role, password and database. */
  readonly serviceUrl: string;
  /** The statement timeout that the service requests when it connects, which PgBouncer does not pass on. */
  readonly statementTimeoutMs: number;
}

/** The files of a PgBouncer, by their paths: what packages/services/database's README tells an operator to write. */
export function configurationFiles(
  { serviceUrl, statementTimeoutMs }: PgbouncerOptions,
  { port, directory }: { readonly port: number; readonly directory: string },
): Record<string, string> {
  const { hostname, port: serverPort, username, password } = new URL(serviceUrl);
  const users = join(directory, 'users.txt');
  const settings = [
    `set statement_timeout = ${statementTimeoutMs}`,
    `set idle_in_transaction_session_timeout = ${statementTimeoutMs}`,
  ].join('; ');
  return {
    [users]: `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`,
    [join(directory, 'pgbouncer.ini')]: `[databases]
* = host=${hostname} port=${serverPort} connect_query='${settings}'

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
pool_mode = transaction
default_pool_size = 10
max_client_conn = 200
server_login_retry = 1
query_wait_timeout = 2
ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout
auth_type = scram-sha-256
auth_file = ${users}
`,
  };
}
