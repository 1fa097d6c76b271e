// Long because it is a list: the selectors of Apollo Router that work here, by stage.
import { token } from '@meridian/settings/values';

import type { BodyPath } from '../../../declaration/body-path.ts';
import { parsePath } from '../../../declaration/body-path.ts';

/** A part of the life of a request: of the whole, of its GraphQL operation, of each request to a subgraph. */
export type Stage = 'router' | 'supergraph' | 'subgraph';

/** Declares something for each stage; `about` completes the note. */
export function byStage<Declared>(
  declare: (stage: Stage, about: string) => Declared,
): Readonly<Record<Stage, Declared>> {
  return {
    router: declare('router', 'requests'),
    supergraph: declare('supergraph', 'operations'),
    subgraph: declare('subgraph', 'subgraph fetches'),
  };
}

/** A value of a selector, without members. */
export type Scalar = string | number | boolean;

/** The argument of a selector: a name in lower case for a header field, or a path into a value. */
export type SelectorArgument = Scalar | BodyPath;

export interface SelectorRule {
  readonly stages: readonly Stage[];
  /** `response`: there is no value before the response. */
  readonly when: 'request' | 'response';
  /** The argument in words; completes "it takes …". */
  readonly takes: string;
  readonly read: (value: unknown) => SelectorArgument | undefined;
}

const everyStage: readonly Stage[] = ['router', 'supergraph', 'subgraph'];

type Argument = Pick<SelectorRule, 'takes' | 'read'>;

/** One of these words, in any case. */
function words(...known: readonly string[]): Argument {
  return {
    takes: known.join(' or '),
    read: (value) =>
      typeof value === 'string' && known.includes(value.toLowerCase()) ? value.toLowerCase() : undefined,
  };
}

const headerField: Argument = {
  takes: 'the name of a header field',
  read: (value) => (typeof value === 'string' && token.test(value) ? value.toLowerCase() : undefined),
};
const anyName: Argument = {
  takes: 'a name',
  read: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
};
const scalar: Argument = {
  takes: 'a text, a number, true or false',
  read: (value) => (isScalar(value) ? value : undefined),
};
const flag: Argument = { takes: 'true', read: (value) => (value === true ? true : undefined) };
const name = words('string', 'hash');
const text = words('string');
const path: Argument = {
  takes: 'a JSONPath of names, indexes and *, such as $[0].extensions.code',
  read: (value) =>
    typeof value === 'string' && value.startsWith('$')
      ? parsePath(value.slice(1).replaceAll('.[', '['))
      : undefined,
};
const status = words('code', 'reason');

function atStages(
  when: SelectorRule['when'],
  ...stages: readonly Stage[]
): Pick<SelectorRule, 'when' | 'stages'> {
  return { when, stages };
}

const ofClient = atStages('request', 'router', 'supergraph');
const ofOperation = atStages('request', 'supergraph');
const ofSubrequest = atStages('request', 'subgraph');
const ofResponse = atStages('response', 'router', 'supergraph');
const ofResult = atStages('response', 'supergraph');
const ofSubresponse = atStages('response', 'subgraph');

export const selectorRules = {
  static: { ...scalar, when: 'request', stages: everyStage },
  env: { ...anyName, when: 'request', stages: everyStage },
  baggage: { ...anyName, when: 'request', stages: everyStage },
  request_context: { ...anyName, when: 'request', stages: everyStage },
  response_context: { ...anyName, when: 'response', stages: everyStage },
  error: { ...words('reason'), when: 'response', stages: everyStage },

  trace_id: {
    ...words('open_telemetry', 'hexadecimal', 'decimal', 'datadog', 'uuid'),
    ...atStages('request', 'router'),
  },
  request_method: { ...flag, ...atStages('request', 'router') },
  request_header: { ...headerField, ...ofClient },
  operation_name: { ...name, ...ofClient },
  response_status: { ...status, ...ofResponse },
  request_duration: {
    ...words('seconds', 'milliseconds', 'microseconds', 'nanoseconds'),
    ...atStages('response', 'router'),
  },
  response_header: { ...headerField, ...ofResponse },
  response_errors: { ...path, ...ofResponse },
  on_graphql_error: { ...flag, ...ofResponse },

  operation_kind: { ...text, ...ofOperation },
  query: { ...words('string', 'aliases', 'depth', 'height', 'root_fields'), ...ofOperation },
  query_variable: { ...anyName, ...ofOperation },
  response_data: { ...path, ...ofResult },
  cost: { ...words('estimated', 'actual', 'delta', 'result'), ...ofResult },
  is_primary_response: { ...flag, ...ofResult },

  subgraph_name: { ...flag, ...ofSubrequest },
  subgraph_operation_name: { ...name, ...ofSubrequest },
  subgraph_operation_kind: { ...text, ...ofSubrequest },
  subgraph_query: { ...text, ...ofSubrequest },
  subgraph_query_variable: { ...anyName, ...ofSubrequest },
  subgraph_request_header: { ...headerField, ...ofSubrequest },
  supergraph_operation_name: { ...name, ...ofSubrequest },
  supergraph_operation_kind: { ...text, ...ofSubrequest },
  supergraph_query: { ...text, ...ofSubrequest },
  supergraph_query_variable: { ...anyName, ...ofSubrequest },
  supergraph_request_header: { ...headerField, ...ofSubrequest },
  subgraph_response_status: { ...status, ...ofSubresponse },
  subgraph_response_header: { ...headerField, ...ofSubresponse },
  subgraph_response_data: { ...path, ...ofSubresponse },
  subgraph_response_errors: { ...path, ...ofSubresponse },
  subgraph_on_graphql_error: { ...flag, ...ofSubresponse },
  response_cache: { ...words('hit', 'miss'), ...ofSubresponse },
  response_cache_status: { ...words('hit', 'partial_hit', 'miss', 'status'), ...ofSubresponse },
  response_cache_control: { ...words('max_age', 'scope', 'no_store'), ...ofSubresponse },
} as const satisfies Readonly<Record<string, SelectorRule>>;

export type SelectorName = keyof typeof selectorRules;

/** Selectors of Apollo Router that this gateway lacks: the reason, or the alternative; completes a sentence. */
export const unsupportedSelectors: Readonly<Record<string, string>> = {
  studio_operation_id: 'nothing is sent to Apollo; operation_name: hash distinguishes operations',
  response_body:
    'bodies are not kept; response_errors has the errors, and response_data of the supergraph the data',
  router_overhead: 'it is not measured; request_duration is',
  active_subgraph_requests:
    'it is not measured; meridian-gateway explain shows the requests of one operation',
  subgraph_resend_count: 'attempts are not counted; subgraph_response_status has the status of the last one',
  cache: 'response_cache is its present name',
};

export function isSelectorName(text: string): text is SelectorName {
  return Object.hasOwn(selectorRules, text);
}

/** True for a variable without a value, which a check leaves as it is: any value may be meant. */
export function isUnread(value: unknown): value is string {
  return typeof value === 'string' && /^\$\{(?:env|file)\./u.test(value);
}

export function isScalar(value: unknown): value is Scalar {
  return (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value))
  );
}
