import { CommandError, flagValue, integer, readArgs } from '@meridian/settings/command-line';

export const generateHelp = `Usage: pnpm generate-data [flags]

Fills a tenant with products, users, reviews, customers and orders.

  --tenant <name>    the tenant (big)
  --products <n>     (200000)
  --reviews <n>      (5000000)
  --orders <n>       (1000000)
  --help             print this

DATABASE_URL is a PostgreSQL server, as a superuser, with the databases that
DATABASE_URL=<server> pnpm start has made there. What is there stays as it is:
run again after a failure, or with higher numbers, to go on. To start over, take
another tenant.
`;

/** The data to generate, and the target. */
export interface GenerateOptions {
  readonly serverUrl: string;
  /** The environment of each app's generator. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Reads the flags and the environment of `pnpm generate-data`.
 *
 * @throws {UsageError} for a flag, {CommandError} for a variable that it cannot take
 */
export function readGenerateOptions(
  args: readonly string[],
  { DATABASE_URL: serverUrl = '' }: NodeJS.ProcessEnv,
): GenerateOptions {
  const { tenant, products, reviews, orders } = readArgs(args, {
    tenant: { type: 'string', default: 'big' },
    products: { type: 'string', default: '200000' },
    reviews: { type: 'string', default: '5000000' },
    orders: { type: 'string', default: '1000000' },
  }).flags;
  const environment = {
    GENERATE_TENANT: tenant,
    GENERATE_PRODUCTS: count('--products', products),
    GENERATE_REVIEWS: count('--reviews', reviews),
    GENERATE_ORDERS: count('--orders', orders),
  };
  if (!/^postgres(?:ql)?:\/\//u.test(serverUrl) || !URL.canParse(serverUrl)) {
    throw new CommandError(
      'DATABASE_URL takes the URL of a server, such as postgresql://postgres:secret@127.0.0.1:5432',
    );
  }
  return { serverUrl, environment };
}

function count(flag: string, text: string): string {
  return String(flagValue(flag, text, integer({ minimum: 1, maximum: 99_999_999 })));
}
