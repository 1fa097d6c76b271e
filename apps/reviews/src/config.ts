import process from 'node:process';

import {
  exitOnBadEnvironment,
  generatedSecret,
  readEnvironment,
  secretList,
  url,
  variable,
} from '@meridian/settings/environment';
import { serviceConfigOf, serviceVariables } from '@meridian/service';
import type { ServiceConfig } from '@meridian/service';

import type { ProductsClientOptions } from './products/products-client.ts';

/** The configuration of the reviews service. */
export interface Config extends ServiceConfig {
  /** Absent if reviewed products are not looked up. */
  readonly products: ProductsClientOptions | undefined;
  /** The first seals cursors; all of them open cursors. */
  readonly cursorKeys: readonly string[];
  /** The Redis or Valkey that carries news of changes among replicas; absent if PostgreSQL does. */
  readonly redisUrl: string | undefined;
}

/** The part of a request's time in which products must respond; the rest is for the write. */
const productsShare = 0.5;

/**
 * An invalid environment ends the process. The deadline is short because reviews are not critical: the gateway waits
 * 800 ms for them. Spec: Limits, "Timeout for the reviews subgraph".
 */
export function readConfig(): Config {
  return exitOnBadEnvironment(() => {
    const read = readEnvironment(process.env, {
      ...serviceVariables(process.env, { port: 4003, adminPort: 8083, requestDeadlineMs: 700 }),
      CURSOR_KEYS: secretList({ requiredIn: 'production' }),
      REDIS_URL: variable(url(['redis', 'rediss']), { optional: true, secret: true }),
      PRODUCTS_URL: variable(url(['http', 'https']), { optional: true }),
    });
    const { PRODUCTS_URL: productsUrl, REQUEST_DEADLINE_MS: deadlineMs } = read;
    return Object.freeze({
      ...serviceConfigOf(process.env, read),
      cursorKeys: read.CURSOR_KEYS ?? generatedSecret(),
      redisUrl: read.REDIS_URL,
      products:
        productsUrl === undefined
          ? undefined
          : { url: productsUrl, timeoutMs: Math.ceil(deadlineMs * productsShare) },
    });
  });
}
