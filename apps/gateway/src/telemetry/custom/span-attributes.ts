import type { RouterConfig, Stage } from '@meridian/router-config';
import { standardAttributes } from '@meridian/router-config';
import type { Span } from '@meridian/telemetry';

import type { RequestFacts, SubgraphFacts } from '../../selectors/request-facts.ts';
import { compileAttributes } from './compile-attributes.ts';
import { isStandard, standardValues } from './standard-values.ts';

type Settings = RouterConfig['telemetry']['instrumentation']['spans'];

/** The content of a span that attributes may change. */
type Described = Pick<Span, 'name' | 'kind' | 'attributes' | 'error'>;

/** Changes the attributes of a span of a stage to what the file says. */
export type DescribeSpan = <Own extends Described>(
  own: Own,
  request: RequestFacts,
  subgraph?: SubgraphFacts,
) => Own;

export type SpanDescriptions = Readonly<Record<Stage, DescribeSpan>>;

/** The attributes that `recommended` adds. */
const recommended: Readonly<Record<Stage, readonly string[]>> = {
  router: [
    'network.protocol.name',
    'server.address',
    'server.port',
    'url.path',
    'url.scheme',
    'user_agent.original',
  ],
  supergraph: ['graphql.document'],
  subgraph: ['subgraph.graphql.document'],
};

/** Undefined where the file asks for the attributes that spans have anyway. */
export function describeSpans(settings: Settings): SpanDescriptions | undefined {
  const { default_attribute_requirement_level: level, router, supergraph, subgraph } = settings;
  const named = [router, supergraph, subgraph].some(({ attributes }) => attributes.size > 0);
  return level === 'required' && !named
    ? undefined
    : {
        router: describeAt('router', settings),
        supergraph: describeAt('supergraph', settings),
        subgraph: describeAt('subgraph', settings),
      };
}

function describeAt(
  stage: Stage,
  { default_attribute_requirement_level: level, ...settings }: Settings,
): DescribeSpan {
  const { attributes } = settings[stage];
  const known = Object.keys(standardAttributes[stage]);
  /** Attributes of the span that leave it, and come back only with another name or value. */
  const removed = [
    ...(level === 'none' ? known.filter((name) => !attributes.has(name)) : []),
    ...attributes.keys(),
  ];
  const defaults = level === 'recommended' ? recommended[stage].filter(isStandard) : [];
  const added = compileAttributes(
    attributes,
    defaults.map((name) => ({ name, select: standardValues[name] })),
  );
  return (own, request, subgraph) => {
    const before = own.attributes;
    const described: Record<string, Span['attributes'][string]> = { ...before };
    for (const name of removed) {
      delete described[name];
    }
    for (const { name, select } of added) {
      // A span knows some of its attributes better than the request does.
      described[name] =
        (attributes.get(name)?.kind === 'standard' ? before[name] : undefined) ?? select(request, subgraph);
    }
    return withMeaning(own, described);
  };
}

const kinds = ['server', 'client', 'internal'] as const;

/** Attributes that Apollo Router reads as parts of the span. */
function withMeaning<Own extends Described>(
  own: Own,
  attributes: Record<string, Span['attributes'][string]>,
): Own {
  const {
    'otel.name': name,
    'otel.kind': kind,
    'otel.status_code': status,
    'otel.status_description': description,
    ...others
  } = attributes;
  const code = String(status ?? '').toLowerCase();
  const failed = code === 'error' || (code === '' && own.error !== undefined);
  return {
    ...own,
    name: name === undefined ? own.name : String(name),
    kind: kinds.find((known) => known === kind) ?? own.kind,
    attributes: others,
    error: failed
      ? String(description ?? own.error ?? others['error.type'] ?? 'error')
      : code === 'ok'
        ? undefined
        : own.error,
  };
}
