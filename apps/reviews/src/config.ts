import process from 'node:process';

import { exitOnBadEnvironment, readEnvironment, url, variable } from '@meridian/settings/environment';
import { eventLogConfigOf, eventLogVariables, serviceConfigOf, serviceVariables } from '@meridian/service';
import type { EventLogConfig, ServiceConfig } from '@meridian/service';

import type { ProductsClientOptions } from './products/products-client.ts';

/** The configuration of the reviews service. */
export interface Config extends ServiceConfig, EventLogConfig {
  /** Absent if reviewed products are not looked up. */
  readonly products: ProductsClientOptions | undefined;
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
      ...eventLogVariables,
      PRODUCTS_URL: variable(url(['http', 'https']), { optional: true }),
    });
    const { PRODUCTS_URL: productsUrl, REQUEST_DEADLINE_MS: deadlineMs } = read;
    return Object.freeze({
      ...serviceConfigOf(process.env, read),
      ...eventLogConfigOf(read),
      products:
        productsUrl === undefined
          ? undefined
          : { url: productsUrl, timeoutMs: Math.ceil(deadlineMs * productsShare) },
    });
  });
}
