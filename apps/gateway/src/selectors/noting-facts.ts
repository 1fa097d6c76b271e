import type { RequestFacts } from './request-facts.ts';

/** Called with the name of a header field of the client's request, or without one for what no field alone decides. */
export type OnRead = (name: string | undefined) => void;

/**
 * Facts that note what is read of the client's request: caches have to know it.
 *
 * @param known facts that are known better
 */
export function notingFacts(
  facts: RequestFacts,
  onRead: OnRead,
  known: Partial<RequestFacts> = {},
): RequestFacts {
  return new Proxy(facts, {
    get(target, name) {
      if (ofSender.has(name)) {
        onRead(undefined);
      }
      const value = Reflect.get(Object.hasOwn(known, name) ? known : target, name) as unknown;
      return name === 'headers' ? noting(target.headers, onRead) : value;
    },
  });
}

/** Facts that come from no single header field. */
const ofSender: ReadonlySet<string | symbol> = new Set<keyof RequestFacts>(['peer', 'client', 'caller']);

function noting(headers: RequestFacts['headers'], onRead: OnRead): RequestFacts['headers'] {
  const read = (name: string | symbol): void => {
    if (typeof name === 'string') {
      onRead(name);
    }
  };
  return new Proxy(headers, {
    get(target, name) {
      read(name);
      return Reflect.get(target, name) as unknown;
    },
    getOwnPropertyDescriptor(target, name) {
      read(name);
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
  });
}
