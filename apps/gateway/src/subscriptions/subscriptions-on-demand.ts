import type { Exchange } from '@meridian/http';

import type { SubscriptionsConfig } from '../config/subscriptions-config.ts';
import type { OpenStreams } from '../subgraphs/connect-subgraphs.ts';
import type { Subscriptions, SubscriptionsOptions } from './open-subscriptions.ts';

/** The subscriptions of a process, loaded for the first configuration that has some. */
export function subscriptionsOnDemand(options: SubscriptionsOptions) {
  let opened: Promise<Subscriptions> | undefined;
  let running: Subscriptions | undefined;
  const open = async (): Promise<Subscriptions> => {
    const { openSubscriptions } = await import('./open-subscriptions.ts');
    return await openSubscriptions(options);
  };
  return {
    /**
     * Undefined where subscriptions are not served.
     *
     * @throws {ListenError}
     */
    async streamsFor(config: SubscriptionsConfig | undefined): Promise<OpenStreams | undefined> {
      if (config === undefined) {
        return undefined;
      }
      running = await (opened ??= open());
      return running.streamsFor(config);
    },
    /** Takes a subgraph's call that has come to the address of clients; false for another request. */
    takeCallback: (exchange: Exchange): boolean => running?.takeCallback(exchange) === true,
    async close(): Promise<void> {
      const subscriptions = await opened?.catch(() => undefined);
      await subscriptions?.close();
    },
  };
}
