import { useSubscription } from '@apollo/client/react';
import { useEffect, useRef } from 'react';

import { orderChanged } from '../graph/operations.ts';

const pauseMs = 1000;

/**
 * Follows an order while it is shown. An event has the order's key and its status, so the cache updates what queries show.
 * A stream that has ended, as with the token or with the gateway's process, is opened again.
 *
 * @param readAgain reads the order, which may have changed while there was no stream
 */
export function useOrderChanges(id: string, readAgain: () => Promise<unknown>): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const openAgain = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      restart();
      timer.current = setTimeout(() => void readAgain().catch(() => undefined), pauseMs);
    }, pauseMs);
  };
  const { restart } = useSubscription(orderChanged, {
    variables: { id },
    onError: openAgain,
    onComplete: openAgain,
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}
