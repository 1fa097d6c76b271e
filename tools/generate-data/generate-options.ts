import { parseArgs } from 'node:util';

export const generateHelp = `usage: DATABASE_URL=<server> pnpm generate-data [flags]

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

/** What to generate, and where. */
export interface GenerateOptions {
  readonly serverUrl: string;
  /** What each app's generator reads. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Reads the flags; a fault is one line. */
export function readGenerateOptions(
  commandLine: readonly string[],
  { DATABASE_URL: serverUrl = '' }: NodeJS.ProcessEnv,
): GenerateOptions | 'help' | { readonly fault: string } {
  try {
    const { values } = parseArgs({
      args: [...commandLine],
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        tenant: { type: 'string', default: 'big' },
        products: { type: 'string', default: '200000' },
        reviews: { type: 'string', default: '5000000' },
        orders: { type: 'string', default: '1000000' },
      },
    });
    if (values.help) return 'help';
    for (const name of ['products', 'reviews', 'orders'] as const) {
      if (!/^[1-9]\d{0,7}$/u.test(values[name])) {
        return {
          fault: `--${name} is ${JSON.stringify(values[name])}; it takes a number from 1 to 99999999`,
        };
      }
    }
    if (!/^postgres(?:ql)?:\/\//u.test(serverUrl) || !URL.canParse(serverUrl)) {
      return {
        fault: 'DATABASE_URL takes the URL of a server, such as postgresql://postgres:secret@127.0.0.1:5432',
      };
    }
    return {
      serverUrl,
      environment: {
        GENERATE_TENANT: values.tenant,
        GENERATE_PRODUCTS: values.products,
        GENERATE_REVIEWS: values.reviews,
        GENERATE_ORDERS: values.orders,
      },
    };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
