import type { StageHandlers, StageMessage } from '../stages/messages.ts';
import { StageRuleError } from '../stages/stage-headers.ts';
import type { HookStage } from './read-hooks.ts';

type MessageAt<Stage extends HookStage> = Parameters<NonNullable<StageHandlers[Stage]>>[0];

/** The members of each message that can be assigned. */
const assignable: { readonly [Stage in HookStage]: readonly (keyof MessageAt<Stage>)[] } = {
  routerRequest: ['url'],
  routerResponse: ['status', 'body'],
  supergraphRequest: ['query', 'operationName', 'variables', 'extensions'],
  supergraphResponse: ['status', 'data', 'errors', 'extensions'],
  executionRequest: [],
  executionResponse: ['status', 'data', 'errors', 'extensions'],
  subgraphRequest: ['body'],
  subgraphResponse: ['body'],
  subgraphFailure: [],
};

/** The ways to change what cannot be assigned. */
const calls: Readonly<Record<string, string>> = {
  body: 'setBody(text)',
  headers: 'headers.set(name, value)',
};

/**
 * Creates the view that hooks at a stage have of a message. Hooks may be JavaScript, where an assignment without an effect
 * would go unseen: through the view it throws a StageRuleError.
 */
export function guardAt(stage: HookStage): (message: StageMessage) => StageMessage {
  const names: readonly string[] = assignable[stage];
  const refuse = (name: string | symbol): never => {
    const call = stage === 'routerRequest' || name !== 'body' ? calls[String(name)] : undefined;
    const can = names.length === 0 ? 'no member can' : `only ${names.join(', ')} can`;
    const way = call === undefined ? `${can}; values for later stages go into context` : `call ${call}`;
    throw new StageRuleError(`\`${String(name)}\` of the message cannot be assigned or deleted: ${way}`);
  };
  const handler: ProxyHandler<StageMessage> = {
    // With the message itself as `this`, since a view has no private members. Reflect.get takes thrice the time.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- another name gives undefined
    get: (message, name) => message[name as keyof StageMessage],
    set: (message, name, value) =>
      names.includes(String(name)) ? Reflect.set(message, name, value) : refuse(name),
    defineProperty: (_message, name) => refuse(name),
    deleteProperty: (_message, name) => refuse(name),
  };
  return (message) => new Proxy(message, handler);
}
