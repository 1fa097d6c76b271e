export {
  type ApolloServerGateway,
  type ApolloServerGatewayOptions,
  type ApolloServerRun,
  type GatewayRequest,
  type LoadedSchema,
  createApolloServerGateway,
} from './apollo-server/apollo-server-gateway.ts';
export {
  type OperationExplanation,
  type OperationInput,
  explainOperation,
} from './explain/explain-operation.ts';
export { type PlanExplanation, explainPlan } from './explain/explain-plan.ts';
export { type PlannedFetch, listFetches } from './explain/list-fetches.ts';
export { type Executor, type ExecutorOptions, type PreparedOperation, createExecutor } from './executor.ts';
export { type Handler, type Interceptor, composeInterceptors } from './interceptors/compose-interceptors.ts';
export { type CoercedVariables, type VariableFault, coerceVariables } from './operation/coerce-variables.ts';
export { fragmentsByName, responseNameOf } from './operation/graphql-document.ts';
export { findLabels, percentOf } from './operation/labels.ts';
export { type JsonRange, jsonItems, jsonMembers, stringAt, wholeOf } from './json/json-members.ts';
export { type Operation, OperationError } from './operation/operation.ts';
export type { SelectedField, SelectedFragment, Selection, SelectionSet } from './operation/selection.ts';
export { fetchesOf } from './plan/plan-steps.ts';
export type {
  ContextVariable,
  FetchStep,
  FetchVariable,
  NameStep,
  OperationKind,
  OperationPlan,
  ParallelStep,
  PathStep,
  PlanStep,
  Rename,
  RequiredField,
  RequiredFragment,
  RequiredSelection,
  SequenceStep,
  TypenameRewrite,
} from './plan/plan.ts';
export { createLocalPlanner } from './planning/local-planner.ts';
export { type Planner, type PlanningResult, PlannerBusyError } from './planning/planner.ts';
export { type PlannerThreadOptions, createPlannerThread } from './planning/planner-thread.ts';
export {
  type PlanLookUp,
  type PlanStore,
  type StorePlansOptions,
  storePlans,
} from './planning/store-plans.ts';
export type {
  CompletedFragment,
  DeferredBatch,
  DeferredFragment,
  DeferredParts,
  ExecutionError,
  ExecutionResult,
  OmittedErrors,
  ReportedError,
  ResponsePath,
  SubrequestCode,
  SubrequestError,
  SubscriptionCode,
  SubscriptionEvent,
  SubscriptionStream,
} from './result.ts';
export { subrequestMessages } from './subrequest-messages.ts';
export { SubscriptionFailure } from './subscription-failure.ts';
export {
  type ReceivedError,
  type FetchResponse,
  readRefused,
  readResponse,
} from './slow-path/read-response.ts';
export { introspect } from './selections/introspection.ts';
export type { RunParameters } from './run/run-parameters.ts';
export type { FastPathWatch } from './run/run-data.ts';
export { encodeResponse } from './fast-path/fast-path-result.ts';
export type { FetchObserver, ObservedFetch, RunObserver, StoredParts } from './run/run-observer.ts';
export type { LinkedFeature } from './supergraph/load-supergraph.ts';
export { type Subgraph, type Supergraph, loadSupergraph } from './supergraph/load-supergraph.ts';
export { SupergraphError, supergraphFault } from './supergraph/supergraph-error.ts';
export { type HttpTransportOptions, createHttpTransport } from './transport/http-transport.ts';
export { createSingleFlight } from './transport/single-flight.ts';
export { deduplicateQueries } from './transport/interceptors/deduplicate-queries.ts';
export { createSubgraphClient } from './transport/create-subgraph-client.ts';
export { hopByHopHeaders } from './transport/http1/request-text.ts';
export { type ServerPlace, readServerUrl } from './transport/server-url.ts';
export { traceFields } from './transport/trace-fields.ts';
export { SubgraphFailure } from './transport/subgraph-failure.ts';
export type { ClientTls, Peer, SubgraphClient, SubgraphTarget } from './transport/subgraph-client.ts';
export type {
  CallSubgraph,
  SubgraphInterceptor,
  SubgraphField,
  SubgraphRequest,
  SubgraphEvent,
  SubgraphResponse,
  SubgraphStream,
  SubgraphTransport,
  SubscriptionRequest,
} from './transport/subgraph-transport.ts';
