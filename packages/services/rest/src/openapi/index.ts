export type { ApiDescription } from './document/openapi-document.ts';
export { ifMatchHeader, ifNoneMatchHeader, preferHeader } from './operation/conditional-headers.ts';
export {
  identifierParameter,
  jsonDescription,
  taggedDescriptions,
  publicDocumentResponses,
} from './operation/resource-descriptions.ts';
export { deprecated } from './operation/deprecation.ts';
export {
  cacheControlHeader,
  etagHeader,
  locationHeader,
  preferenceAppliedHeader,
} from './operation/headers.ts';
export {
  defaultLimit,
  limitParameter,
  maxLimit,
  queryOf,
  queryParameter,
  type QueryParameter,
  type QueryParameterOptions,
  refuseUnknownParameters,
} from './operation/query-parameter.ts';
export type {
  Content,
  Deprecation,
  HeaderDescription,
  Operation,
  ParameterDescription,
  PathParameter,
  ResponseDescription,
} from './operation/operation.ts';
export {
  type Method,
  type ResourceRoutes,
  route,
  type Route,
  type RouteTable,
  serveRoutes,
} from './routes/route-table.ts';
export { withOpenApi } from './routes/with-openapi.ts';
