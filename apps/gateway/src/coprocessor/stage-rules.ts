import { notingFacts } from '../selectors/noting-facts.ts';
import type { OnRead } from '../selectors/noting-facts.ts';
import type { RequestFacts } from '../selectors/request-facts.ts';
import type { StageMessage } from '../stages/messages.ts';
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
  onRead?: OnRead,
): RequestFacts {
  const request = Message.requestOf(message);
  return notingFacts(request.facts, onRead ?? ((name) => request.onRead(name)), known);
}
