import type { RequestFacts } from '../selectors/request-facts.ts';
import type { StageMessage } from '../stages/messages.ts';
import type { RequestStages } from '../stages/request-stages.ts';
import { Message } from '../stages/request-stages.ts';

/** True for a stage that its section names: as in Apollo Router, one that asks for nothing is never called. */
export function isConfigured(stage: Readonly<Record<string, unknown>>): boolean {
  return Object.values(stage).some((value) => value !== false && value !== undefined);
}

/**
 * Facts of the request of a message, with those that the message knows better.
 *
 * @param onRead called for what is read of the client’s request, as caches have to know it. Default: as for all stages
 */
export function overlaid(
  message: StageMessage,
  known: Partial<RequestFacts> = {},
  onRead?: RequestStages['onRead'],
): RequestFacts {
  const request = Message.requestOf(message);
  const note = onRead ?? ((name) => request.onRead(name));
  return new Proxy(request.facts, {
    get(target, name) {
      if (ofSender.has(name)) {
        note(undefined);
      }
      const value = Reflect.get(Object.hasOwn(known, name) ? known : target, name) as unknown;
      return name === 'headers' ? noting(target.headers, note) : value;
    },
  });
}

/** Facts that come from no single header field. */
const ofSender: ReadonlySet<string | symbol> = new Set<keyof RequestFacts>(['peer', 'client', 'caller']);

function noting(headers: RequestFacts['headers'], note: RequestStages['onRead']): RequestFacts['headers'] {
  const read = (name: string | symbol): void => {
    if (typeof name === 'string') {
      note(name);
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
