import type { IncomingHttpHeaders } from 'node:http';

import type { Caller } from '@meridian/auth';
import type { HttpResponse } from '@meridian/http';
import type { GraphQLFormattedError } from 'graphql';

import type { ClientIdentity } from '../http/client-of.ts';
import type { OperationType, Variables } from '../operation/admitted-operation.ts';
import type { CompiledOperation } from '../operation/compiled-operation.ts';
import type { CostResult } from '../telemetry/cost-metrics.ts';
import type { SubrequestFacts } from './subrequest-facts.ts';

/**
 * The facts of a request, as far as they are known, for selectors and conditions. They belong to no telemetry: anything
 * that acts on conditions may read them.
 */
export interface RequestFacts {
  readonly method: string;
  /** Values that code at the stages of the request keeps, by Apollo Router's names; undefined where there is none. */
  readonly stageContext: ReadonlyMap<string, unknown> | undefined;
  /** The request target, with its query. */
  readonly url: string;
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly peer: string | undefined;
  /** True when clients connect over TLS. */
  readonly isSecure: boolean;
  readonly route: string | undefined;
  /** By `performance.now`. */
  readonly startedMs: number;
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  readonly client: ClientIdentity;
  /** Undefined for an anonymous caller, and for one that is not verified. */
  readonly caller: (Omit<Caller, 'expiresAt'> & Partial<Pick<Caller, 'expiresAt'>>) | undefined;
  /** Undefined until it is compiled, and for an anonymous operation. */
  readonly operationName: string | undefined;
  readonly operationType: OperationType | undefined;
  /** Undefined until it may run. */
  readonly operation: Pick<CompiledOperation, 'document' | 'definition'> | undefined;
  /** The text of the operation. */
  readonly operationText: string | undefined;
  readonly variables: Variables;
  /** The labels of progressive overrides that it runs with; undefined where its plans depend on none. */
  readonly overrideLabels: ReadonlySet<string> | undefined;
  readonly costEstimated: number | undefined;
  /** As in Apollo Router, also of an operation over a limit that is only measured. Undefined until it is known. */
  readonly costResult: CostResult | undefined;
  /** Of a response whose cost was measured. */
  readonly costActual: number | undefined;
  /** Of the response; 499 where the client left before it had all of it. Undefined until it is known. */
  readonly status: number | undefined;
  /** Undefined until there is one. */
  readonly response: HttpResponse | undefined;
  /** As the client gets them. */
  readonly errors: readonly GraphQLFormattedError[];
  /** The code of a rejected or failed request. */
  readonly failure: string | undefined;
  /** The data of the response, read on demand; undefined where there is none. */
  readonly data: unknown;
}

/** The facts of a request to a subgraph. */
export type SubgraphFacts = Readonly<Omit<SubrequestFacts, 'onSent' | 'onResponse' | 'onFailure'>>;

/** The facts of a request, for the stages that find them out. */
export interface ObservedFacts extends RequestFacts {
  /** Called at the end of the exchange, with the status as it is then. */
  readonly onEnd: (status: number) => void;
  /** Called with the errors of a result, as the client gets them. */
  readonly onErrors: (shown: readonly GraphQLFormattedError[]) => void;
  /** The facts of the request to a subgraph that is sent next, at once. */
  readonly expectSubrequest: (subgraph: string) => SubgraphFacts;
}
