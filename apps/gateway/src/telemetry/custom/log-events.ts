import type { LogEvent, RouterConfig, Stage } from '@meridian/router-config';
import type { Logger } from '@meridian/telemetry';

import { compileCondition } from '../../selectors/compile-condition.ts';
import type { RequestFacts, SubgraphFacts } from '../../selectors/request-facts.ts';
import type { CompiledAttribute } from './compile-attributes.ts';
import { compileAttributes } from './compile-attributes.ts';
import { standardValues } from './standard-values.ts';

type Settings = RouterConfig['telemetry']['instrumentation']['events'];

/** Writes the lines of a moment to the log of a request. */
export type WriteEvents = (
  request: RequestFacts & { readonly log: Logger },
  subgraph?: SubgraphFacts,
) => void;

/** The writers of a stage; undefined for a moment without events. */
export type StageEvents = Readonly<Record<LogEvent['on'], WriteEvents | undefined>>;

/** Compiles the lines of the log that the file names, once for all requests. */
export function compileEvents(settings: Settings): Readonly<Record<Stage, StageEvents>> {
  const eventsAt = (stage: Stage): StageEvents => {
    const compiled = Array.from(settings[stage], ([name, event]) => compileEvent(name, event, stage));
    const at = (on: LogEvent['on']): WriteEvents | undefined => {
      const ofMoment = compiled.flatMap((event) => (event?.on === on ? [event.write] : []));
      return ofMoment.length === 0
        ? undefined
        : (request, subgraph) => {
            for (const write of ofMoment) {
              write(request, subgraph);
            }
          };
    };
    return { request: at('request'), response: at('response'), error: at('error') };
  };
  return { router: eventsAt('router'), supergraph: eventsAt('supergraph'), subgraph: eventsAt('subgraph') };
}

/** Undefined for one that is off. */
function compileEvent(
  name: string,
  { level, on, message, condition, isStandard, attributes: named }: LogEvent,
  stage: Stage,
): { readonly on: LogEvent['on']; readonly write: WriteEvents } | undefined {
  if (level === 'off') {
    return undefined;
  }
  const test = condition === undefined ? undefined : compileCondition(condition);
  const attributes = isStandard
    ? [...ofStage[stage], ...(on === 'request' ? [] : ofResult[stage])]
    : compileAttributes(named);
  const kind = isStandard ? `${stage}.${on}` : name;
  return {
    on,
    write(request, subgraph) {
      if (test === undefined || test(request, subgraph)) {
        const members: Record<string, unknown> = { kind };
        for (const { name: attribute, select } of attributes) {
          members[attribute] = select(request, subgraph);
        }
        request.log[level](members, message);
      }
    },
  };
}

function standard(...names: readonly (keyof typeof standardValues)[]): readonly CompiledAttribute[] {
  return names.map((name) => ({ name, select: standardValues[name] }));
}

/** The members of known events: no header fields, no bodies, no variables. */
const ofStage: Readonly<Record<Stage, readonly CompiledAttribute[]>> = {
  router: standard('http.request.method', 'url.path'),
  supergraph: standard('graphql.operation.name', 'graphql.operation.type'),
  subgraph: standard('subgraph.name', 'subgraph.graphql.operation.name', 'subgraph.graphql.operation.type'),
};

/** Further members once there is a response. */
const ofResult: Readonly<Record<Stage, readonly CompiledAttribute[]>> = {
  router: standard('http.response.status_code', 'error.type'),
  supergraph: [
    { name: 'errors', select: ({ errors }) => errors.length },
    { name: 'error.type', select: ({ failure }) => failure },
  ],
  subgraph: [
    { name: 'http.response.status_code', select: (_request, subgraph) => subgraph?.status },
    { name: 'errors', select: (_request, subgraph) => subgraph?.errors.length },
    { name: 'error.type', select: (_request, subgraph) => subgraph?.failure },
  ],
};
