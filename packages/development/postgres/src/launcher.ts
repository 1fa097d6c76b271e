import { PostgresError } from './postgres-error.ts';
import { runProgram } from './run-program.ts';
import type { Command } from './run-program.ts';

/** A user and a group, by their numbers. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The way to run PostgreSQL's programs on this machine. */
export interface Launcher {
  /** The owner of the server's files; absent when the programs run as this process's own account. */
  readonly account: Account | undefined;
  /** The major version of the programs, such as 18. */
  readonly majorVersion: number;
  command(program: string, programArguments: readonly string[]): Command;
}

type Wrap = Launcher['command'];

/**
 * Finds a way to run PostgreSQL's programs. They refuse to run as root, so root runs them as `account`.
 *
 * @throws {PostgresError} if no way works, with all reasons
 */
export async function findLauncher(postgres: string, account: Account | undefined): Promise<Launcher> {
  const ways =
    account === undefined ? [asIs] : [asAccountThatMayEnterAnyDirectory(account), asAccount(account)];
  const failures: string[] = [];
  for (const command of ways) {
    const { succeeded, output } = await runProgram(command(postgres, ['--version']));
    const majorVersion = Number(/PostgreSQL\) (\d+)/u.exec(output)?.[1]);
    if (succeeded && majorVersion > 0) {
      return { account, majorVersion, command };
    }
    failures.push(output);
  }
  throw new PostgresError(explain(postgres, account, failures));
}

const asIs: Wrap = (program, programArguments) => ({ program, arguments: programArguments, account: {} });

const asAccount =
  (account: Account): Wrap =>
  (program, programArguments) => ({ program, arguments: programArguments, account });

/**
 * The checkout of root is often below a directory that only root may enter (`/root`, or one by `mktemp -d`). The one
 * capability lets the account in. PostgreSQL asks `access(2)` about its own files, which disregards capabilities of
 * accounts other than root unless `no_setuid_fixup` is set.
 */
const asAccountThatMayEnterAnyDirectory =
  ({ uid, gid }: Account): Wrap =>
  (program, programArguments) => ({
    program: 'setpriv',
    arguments: [
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      '--inh-caps=+dac_override',
      '--ambient-caps=+dac_override',
      '--securebits=+no_setuid_fixup',
      '--',
      program,
      ...programArguments,
    ],
    account: {},
  });

function explain(postgres: string, account: Account | undefined, failures: readonly string[]): string {
  const reason = failures.join('; ').replaceAll('\n', ' ');
  if (account === undefined) {
    return `PostgreSQL's programs do not run on this machine (${reason}). Install them again with \`pnpm rebuild\`, or set DATABASE_URL to a server of your own`;
  }
  return (
    `PostgreSQL does not run as root, and the user ${account.uid} could not run ${postgres} (${reason}). ` +
    'Start as an ordinary user, or install setpriv (util-linux), or move the checkout to a folder that other users may read'
  );
}
