import { isRecord } from '@meridian/settings/values';

import type { StageHandlers } from '../stages/messages.ts';
import { HooksError } from './hooks-error.ts';
import type { Hooks } from './hooks.ts';

const stages = ['router', 'supergraph', 'execution', 'subgraph'] as const;
const sides = ['request', 'response'] as const;

/** A stage's side, as `StageHandlers` names it. */
export type HookStage = Exclude<keyof StageHandlers, 'name'>;

/** Code at one stage. */
export interface Hook {
  readonly stage: HookStage;
  /** The module's. */
  readonly name: string;
  readonly run: (message: unknown) => unknown;
}

/** The hooks of one module. */
export interface HooksOfModule {
  readonly name: string;
  readonly hooks: readonly Hook[];
  readonly start: (() => unknown) | undefined;
  readonly stop: (() => unknown) | undefined;
}

/**
 * Reads the default export of a module.
 *
 * @throws {HooksError} for one that is not of the type `Hooks`
 */
export function readHooks(module: unknown, specifier: string): HooksOfModule {
  const exported = isRecord(module) ? module['default'] : undefined;
  const fault = (reason: string): HooksError => new HooksError(`meridian.hooks: ${specifier}: ${reason}`);
  if (!isRecord(exported)) {
    throw fault('has no default export with hooks: export default { router: { request(message) { … } } }');
  }
  for (const name of Object.keys(exported)) {
    if (![...stages, 'name', 'start', 'stop'].includes(name)) {
      throw fault(`\`${name}\` is not a stage; the stages are ${stages.join(', ')}`);
    }
  }
  const { name: ownName, start, stop } = exported;
  const name = typeof ownName === 'string' ? ownName : specifier;
  if (!isOptionalFunction(start) || !isOptionalFunction(stop)) {
    throw fault('`start` and `stop` are functions');
  }
  const hooks = stages.flatMap((stage): Hook[] => {
    const code = exported[stage] ?? {};
    if (!isRecord(code)) {
      throw fault(`\`${stage}\` is not an object with \`request\` or \`response\``);
    }
    return Object.entries(code).map(([side, run]) => {
      if (!sides.some((known) => known === side) || typeof run !== 'function') {
        throw fault(`\`${stage}.${side}\` is not a function \`request\` or \`response\``);
      }
      return {
        stage: side === 'request' ? `${stage}Request` : `${stage}Response`,
        name,
        run: (message) => Reflect.apply(run, code, [message]) as unknown,
      };
    });
  });
  return { name, hooks, start: start?.bind(exported), stop: stop?.bind(exported) };
}

function isOptionalFunction(value: unknown): value is Hooks['start'] {
  return value === undefined || typeof value === 'function';
}
